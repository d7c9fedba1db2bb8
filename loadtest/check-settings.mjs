const whole = ['HOLDERS', 'RATE', 'SECONDS', 'WAIT', 'WAKE_P99_MS'];
const known = ['TOPOLOGY', 'BASE_URL', 'OTHER_URL', 'OPERATOR_KEY', ...whole];
/**
 * Without these, a scenario would measure something else, or nothing. Homes that the run starts itself
 * provide them.
 */
const needed = {
  federation: 'OTHER_URL',
  'fan-out': 'OPERATOR_KEY',
  asks: 'OPERATOR_KEY',
  decisions: 'OPERATOR_KEY',
};

/**
 * The mistakes in a run's settings, as messages; empty if it can start.
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
