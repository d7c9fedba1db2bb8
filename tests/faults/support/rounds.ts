import { sampled } from '@hearth/testkit/sample';

/**
 * How often an experiment repeats its faults: in CI, and in `npm run nightly`. A soak with FAULTS_LONG=1 repeats them
 * fifty times as often.
 */
export function rounds(sample: number, whole = sample): number {
  return process.env['FAULTS_LONG'] === '1' ? whole * 50 : sampled(sample, whole);
}
