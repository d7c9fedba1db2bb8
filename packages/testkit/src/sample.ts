const isWhole = process.env['HEARTH_TEST_WHOLE'] === '1';

/** How much of a long test runs: a sample, which is the same each time, or all of it in `npm run nightly` (HEARTH_TEST_WHOLE=1). */
export const sampled = <Size>(sample: Size, whole: Size): Size => (isWhole ? whole : sample);
