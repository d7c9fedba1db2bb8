import { Agent, request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { WireRequest } from './requests.ts';

export interface Answer {
  status: number;
  type: string;
  text: string;
}

const agent = new Agent({ keepAlive: true });

/** Sends the request as is: no client library corrects its path or body. */
export function sendWire(
  port: number,
  { method, path, headers, body }: WireRequest,
  patienceMs: number,
): Promise<Answer> {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const asked = httpRequest(
      { host: '127.0.0.1', port, method, path, headers: { ...headers, ...length }, agent },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          try {
            const text = decoded(Buffer.concat(chunks), answer.headers['content-encoding']).toString();
            const type = answer.headers['content-type'] ?? '';
            resolve({ status: answer.statusCode!, type, text });
          } catch (error) {
            reject(error);
          }
        });
      },
    );
    asked.setTimeout(patienceMs, () => asked.destroy(new Error(`no answer within ${patienceMs} ms`)));
    asked.on('error', reject);
    asked.end(body);
  });
}

function decoded(body: Buffer, encoding: string | undefined): Buffer {
  if (body.length === 0) return body;
  return encoding === 'gzip' ? gunzipSync(body) : encoding === 'br' ? brotliDecompressSync(body) : body;
}

/** A shell command that repeats the call while its home runs. */
export function curlOf(port: number, { method, path, headers, body }: WireRequest): string {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const parts = ['curl', '-i', '--path-as-is', '-X', method];
  for (const [name, value] of Object.entries(headers)) parts.push('-H', quote(`${name}: ${value}`));
  if (body !== undefined) {
    const text = body.toString();
    parts.push(
      '--data-binary',
      quote(text.length <= 2_000 ? text : `${text.slice(0, 2_000)}... (${text.length})`),
    );
  }
  return [...parts, quote(`http://127.0.0.1:${port}${path}`)].join(' ');
}
