// node scripts/ci/closing-line.mjs <jest results.json...>
//
// Prints `N passed, N failed, N skipped`, summed over jest's results files.
import { sumResults } from './sum-results.mjs';

const { passed, failed, skipped } = sumResults(process.argv.slice(2));
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
