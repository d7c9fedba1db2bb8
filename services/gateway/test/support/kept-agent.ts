import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface AnsweredOver {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Tells connections apart. */
  localPort: number | undefined;
}

/** Keeps one connection, as clients do. */
export function keptAgent(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 1 });
}

/** A request with that key over the agent's connection. */
export function askOver(agent: Agent, key: string, url: string, body?: object): Promise<AnsweredOver> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const method = body === undefined ? 'GET' : 'POST';
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method, headers }, (response) => {
      const { localPort } = response.socket;
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, localPort }),
      );
    });
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}
