interface Line {
  time: string;
  level: string;
  service: string;
  msg?: string;
  err?: { stack?: string; message: string };
}

/** Formats log lines for a person at a terminal: `12:03:04 info  gateway  the message  field=value`. */
export function readableStream(output: { write(text: string): unknown }): { write(line: string): unknown } {
  return { write: (line) => output.write(readableLine(line)) };
}

export function readableLine(json: string): string {
  const { time, level, service, msg = '', err, ...fields } = JSON.parse(json) as Line;
  const pairs = Object.entries(fields).map(([name, value]) => `  ${name}=${printValue(value)}`);
  const line = visible(`${time.slice(11, 19)} ${level.padEnd(5)} ${service}  ${msg}${pairs.join('')}`);
  const fault =
    err === undefined ? [] : (err.stack ?? err.message).split('\n').map((part) => `    ${visible(part)}`);
  return `${[line, ...fault].join('\n')}\n`;
}

// Terminal and text direction controls, with which the author of a logged text could rewrite what is displayed.
const unseen = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

function visible(text: string): string {
  return text.replace(unseen, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function printValue(value: unknown): string {
  return typeof value === 'string' && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value);
}
