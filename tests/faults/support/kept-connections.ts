import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Clients that each hold one connection and constantly send requests over it, as proxies do. */
export interface KeptConnections {
  /** How many answers arrived so far. */
  answers(): number;
  /** The errors that clients met, such as "ECONNRESET". */
  readonly errors: string[];
  /** Sends new connections there; existing ones stay until their server ends them. */
  leadTo(url: string): void;
  stop(): Promise<void>;
}

export function keepConnections(url: string, count: number): KeptConnections {
  const errors: string[] = [];
  let current = url;
  let answers = 0;
  let ending = false;

  async function client(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let at = current;
    while (!ending) {
      try {
        if (await ask(at, agent)) at = current;
        answers += 1;
      } catch (error) {
        errors.push((error as { code?: string }).code ?? String(error));
        at = current;
      }
      await sleep(2);
    }
    agent.destroy();
  }

  const clients = Array.from({ length: count }, client);
  return {
    answers: () => answers,
    errors,
    leadTo: (next) => {
      current = next;
    },
    async stop() {
      ending = true;
      await Promise.all(clients);
    },
  };
}

/** Resolves to whether the answer says that the connection closes. */
function ask(url: string, agent: Agent): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/v0/limits`, { method: 'GET', agent }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.headers.connection === 'close'));
      answer.once('error', reject);
    });
    sent.once('error', reject);
    sent.end();
  });
}
