/** Where the home is, and how much is asked of it; all from `-e NAME=value` or the environment. */
export const config = {
  /** Gateways, comma separated: virtual users take turns over them. */
  bases: (__ENV.BASE_URL || 'http://localhost:8080').split(',').map((base) => base.trim().replace(/\/$/, '')),
  holders: whole('HOLDERS', 200),
  perSecond: whole('RATE', 100),
  seconds: whole('SECONDS', 30),
  waitSeconds: whole('WAIT', 25),
  /** The most that the 99th percentile of send -> recipient's poll answered may be. */
  wakeP99Ms: whole('WAKE_P99_MS', 1000),
};

function whole(name, usual) {
  const value = Number(__ENV[name] || usual);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`${name} must be a whole number above 0, not ${__ENV[name]}`);
}

export function baseOf(index) {
  return config.bases[index % config.bases.length];
}
