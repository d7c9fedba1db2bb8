/** The home's location and the load, all from `-e NAME=value` or the environment. */
export const config = {
  /** Gateways, comma-separated; virtual users take turns. */
  bases: list('BASE_URL', 'http://localhost:8080'),
  /** The gateways of the recipients' home, if it is another one. */
  others: list('OTHER_URL', ''),
  operatorKey: __ENV.OPERATOR_KEY || '',
  holders: (usual) => whole('HOLDERS', usual),
  perSecond: (usual) => whole('RATE', usual),
  seconds: (usual) => whole('SECONDS', usual),
  waitSeconds: whole('WAIT', 25),
  /** The bound for the 99th percentile of the scenario's latency. */
  wakeP99Ms: (usual) => whole('WAKE_P99_MS', usual),
};

function list(name, usual) {
  const given = __ENV[name] || usual;
  return given === '' ? [] : given.split(',').map((base) => base.trim().replace(/\/$/, ''));
}

function whole(name, usual) {
  const value = Number(__ENV[name] || usual);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`${name} must be a whole number above 0, not ${__ENV[name]}`);
}
