const isWhole = process.env['HEARTH_TEST_WHOLE'] === '1';

/** The size of a long test: a fixed sample, or everything in `npm run nightly` (HEARTH_TEST_WHOLE=1). */
export const sampled = <Size>(sample: Size, whole: Size): Size => (isWhole ? whole : sample);
