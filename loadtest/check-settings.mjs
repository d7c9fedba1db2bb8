const whole = ['HOLDERS', 'RATE', 'SECONDS', 'WAIT', 'WAKE_P99_MS'];
const known = ['TOPOLOGY', 'BASE_URL', 'OTHER_URL', 'OPERATOR_KEY', ...whole];
/** A scenario without these would measure another thing, or nothing. A home that the run starts itself brings them along. */
const needed = {
  federation: 'OTHER_URL',
  'fan-out': 'OPERATOR_KEY',
  asks: 'OPERATOR_KEY',
  decisions: 'OPERATOR_KEY',
};

/**
 * The mistakes in the settings of a run, in words; none when it can start.
 *
 * @param {string} scenario
 * @param {Record<string, string | undefined>} given by NAME=value
 * @param {Record<string, string | undefined>} environment
 */
export function mistakesIn(scenario, given, environment) {
  const settingOf = (name) => given[name] ?? environment[name];
  const mistakes = Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => `${name} is no setting of a load test; there are ${known.join(', ')}`);
  for (const name of whole) {
    const value = settingOf(name);
    if (value !== undefined && !/^[1-9][0-9]*$/.test(value))
      mistakes.push(`${name} is "${value}"; expected a whole number above 0`);
  }
  const missing = needed[scenario];
  if (missing !== undefined && given.TOPOLOGY === undefined && !settingOf(missing))
    mistakes.push(`${missing} is missing: ${scenario} needs it beside BASE_URL; or give TOPOLOGY=one`);
  return mistakes;
}
