interface Line {
  time: string;
  level: string;
  service: string;
  msg?: string;
  err?: { stack?: string; message: string };
}

/** Log lines for a person at a terminal: `12:03:04 info  gateway  the message  field=value`. */
export function readableStream(output: { write(text: string): unknown }): { write(line: string): unknown } {
  return { write: (line) => output.write(readableLine(line)) };
}

export function readableLine(json: string): string {
  const { time, level, service, msg = '', err, ...fields } = JSON.parse(json) as Line;
  const pairs = Object.entries(fields).map(([name, value]) => `  ${name}=${printValue(value)}`);
  const fault = err === undefined ? '' : `\n    ${(err.stack ?? err.message).replaceAll('\n', '\n    ')}`;
  return `${time.slice(11, 19)} ${level.padEnd(5)} ${service}  ${msg}${pairs.join('')}${fault}\n`;
}

function printValue(value: unknown): string {
  return typeof value === 'string' && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value);
}
