// npm run catalogues -- <folder>    compares the catalogues of other languages with the English one: prints mistakes,
// and the messages that each language lacks
import { readCatalogue } from '@hearth/i18n';
import { readAdded } from '@hearth/i18n/added';

const [folder] = process.argv.slice(2);
if (folder === undefined)
  throw new Error('npm run catalogues takes a folder, such as npm run catalogues -- ./catalogues');

const keys = Object.keys(readCatalogue('en'));
const { catalogues, mistakes } = readAdded(folder);
for (const [tag, catalogue] of catalogues) {
  const missing = keys.filter((key) => !Object.hasOwn(catalogue, key));
  console.log([`${tag}: ${missing.length} of ${keys.length} messages missing`, ...missing].join('\n  '));
}
for (const { problem, expected } of mistakes) console.error(`${folder} ${problem}; expected ${expected}`);
process.exitCode = mistakes.length > 0 ? 1 : 0;
