import { Agent, request as httpRequest } from 'node:http';

export interface Answered {
  status: number;
  headers: Record<string, string>;
  text: string;
  bytes: Buffer;
  /** The body as JSON; undefined if it isn't JSON. */
  json: Record<string, unknown>;
  /** Distinguishes connections. */
  localPort: number | undefined;
}

export interface Asking {
  method?: string;
  headers?: Record<string, string>;
  /** An object is sent as JSON; text and bytes as they are. */
  body?: unknown;
  key?: string;
  /** Sends it over a kept-alive connection. */
  agent?: Agent;
}

/** Keeps one connection alive, as clients do. */
export function keptAgent(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 1 });
}

/** Sends one request with exactly this path, over a connection of its own unless an agent keeps one alive. */
export function ask(url: string, path: string, asking: Asking = {}): Promise<Answered> {
  const { body, key, agent = false } = asking;
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const bytes = body === undefined ? undefined : raw ? Buffer.from(body) : Buffer.from(JSON.stringify(body));
  const headers: Record<string, string> = {
    ...(bytes !== undefined && {
      'content-type': 'application/json',
      'content-length': String(bytes.length),
    }),
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...asking.headers,
  };
  const method = asking.method ?? (bytes === undefined ? 'GET' : 'POST');
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, method, path, headers, agent }, (response) => {
      const { localPort } = response.socket;
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const text = bytes.toString();
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string>,
          text,
          bytes,
          json: parse(text) as Record<string, unknown>,
          localPort,
        });
      });
    });
    request.on('error', reject);
    request.end(bytes);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
