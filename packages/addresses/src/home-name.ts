/** Development homes: names that may have a port and be served over plain http. */
export interface HomeNameOptions {
  /** Exact names such as `localhost:8081`, from the operator's settings; none by default. */
  devHomes?: readonly string[];
}

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const maxNameLength = 253;

/**
 * Whether `text` names a home: a lower-case DNS name of at least two A-labels without port, IP address or final dot; or
 * a development home, exactly as listed.
 */
export function isHomeName(text: string, options: HomeNameOptions = {}): boolean {
  return isDnsName(text) || (options.devHomes?.includes(text) ?? false);
}

function isDnsName(text: string): boolean {
  if (text.length > maxNameLength) return false;
  const labels = text.split('.');
  if (labels.length < 2 || !labels.every((part) => label.test(part))) return false;
  // A last label that starts with a digit may be read as an IPv4 address (`1.2.3.4`, `1.2.3.0x7f`).
  const last = labels[labels.length - 1] as string;
  // `xn--` labels are not decoded: IDNA tables differ, and two homes must read a name alike.
  return /^[a-z]/.test(last);
}
