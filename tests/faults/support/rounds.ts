/** How often an experiment repeats its faults: a soak with FAULTS_LONG=1 does so fifty times as often. */
export function rounds(usual: number): number {
  return process.env['FAULTS_LONG'] === '1' ? usual * 50 : usual;
}
