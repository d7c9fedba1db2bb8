import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Dialect, type Lint, LocalLinter } from 'harper.js';
import { slimBinary } from 'harper.js/slimBinary';
import { maskNames } from './mask.ts';
import { groupsOff, rulesOff, rulesOn } from './rules.ts';

/** Harper returns a list for every rule, so it reads many passages at once. */
const atOnce = 300;

/** Words of our field and product, from words.txt: one per line, below headings that start with #. */
const ownWords = readFileSync(join(import.meta.dirname, 'words.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

async function createLinter(): Promise<LocalLinter> {
  const linter = new LocalLinter({ binary: slimBinary, dialect: Dialect.British });
  await linter.setup();
  const config = await linter.getDefaultLintConfig();
  for (const setting of (await linter.getStructuredLintConfig()).settings) {
    if (!('Group' in setting) || groupsOff[setting.Group.label] === undefined) continue;
    for (const rule of rulesIn(setting.Group.child.settings)) config[rule] = rulesOn.includes(rule);
  }
  for (const rule of Object.keys(rulesOff)) config[rule] = false;
  await linter.setLintConfig(config);
  await linter.importWords(ownWords.flatMap((word) => [word, `${word}'s`]));
  return linter;
}

type Settings = Awaited<ReturnType<LocalLinter['getStructuredLintConfig']>>['settings'];

function rulesIn(settings: Settings): string[] {
  return settings.flatMap((setting) => {
    if ('Bool' in setting) return [setting.Bool.name];
    return 'OneOfMany' in setting ? setting.OneOfMany.names : rulesIn(setting.Group.child.settings);
  });
}

export interface Mistake {
  /** The text that contains it, and where. */
  text: string;
  offset: number;
  /** The mistaken words. */
  words: string;
  rule: string;
  advice: string;
}

/** Spelling and grammar mistakes found by Harper. Words of one or two letters are taken for units and variables. */
export async function mistakesIn(texts: readonly string[]): Promise<Mistake[]> {
  const linter = await createLinter();
  const found: Mistake[] = [];
  for (let first = 0; first < texts.length; first += atOnce)
    found.push(...(await read(linter, texts.slice(first, first + atOnce))));
  return found;
}

async function read(linter: LocalLinter, texts: readonly string[]): Promise<Mistake[]> {
  const starts: number[] = [];
  let all = '';
  for (const text of texts) {
    starts.push(all.length);
    all += `${maskNames(text).replaceAll('\n', ' ')}\n\n`;
  }
  const characters = [...all];
  const toMistake = (rule: string, lint: Lint): Mistake => {
    const offset = characters.slice(0, lint.span().start).join('').length;
    const index = starts.findLastIndex((start) => start <= offset);
    const suggested = lint.suggestions().map((suggestion) => suggestion.get_replacement_text());
    return {
      text: texts[index]!,
      offset: offset - starts[index]!,
      words: lint.get_problem_text(),
      rule,
      advice: [lint.message(), suggested.slice(0, 3).join(', ')].filter((part) => part !== '').join(' '),
    };
  };
  const lints = await linter.organizedLints(all, { language: 'markdown' });
  return Object.entries(lints)
    .flatMap(([rule, each]) => each.map((lint) => toMistake(rule, lint)))
    .filter(({ rule, words }) => rule !== 'SpellCheck' || /[\p{L}\p{N}]{3}/u.test(words));
}
