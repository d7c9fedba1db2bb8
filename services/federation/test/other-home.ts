import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ManualClock } from '@hearth/clock';
import { exportPublicJwk, type KeyPair, keyPairFromSeed, type ListedKey, signRecord } from '@hearth/signing';

const hour = 3_600_000;

export const keyOf = (byte: number): KeyPair => keyPairFromSeed(Buffer.alloc(32, byte));

/** Another home, reduced to its document: it listens under a development name, and answers as the test says. */
export interface OtherHome {
  name: string;
  /** Returns how often its document was requested. */
  asked(): number;
  /** Sets the keys that it lists, and those that sign its next documents. */
  lists(keys: ListedKey[], by: KeyPair[]): void;
  /** Sets an answer other than its document. */
  answers(answer: ((request: IncomingMessage, response: ServerResponse) => void) | null): void;
  /** Sets additional members of its document. */
  says(members: object): void;
  /** Returns the document as it would be served now. */
  document(): object;
  stop(): Promise<void>;
}

/** A key, as a home's document lists it. */
export function listedKey(pair: KeyPair, clock: ManualClock, but: Partial<ListedKey> = {}): ListedKey {
  const notBefore = new Date(clock.now() - hour).toISOString();
  return {
    ...exportPublicJwk(pair),
    uses: ['record', 'request'],
    status: 'active',
    not_before: notBefore,
    ...but,
  };
}

export async function startOtherHome(clock: ManualClock): Promise<OtherHome> {
  let asked = 0;
  let keys: ListedKey[] = [];
  let by: KeyPair[] = [];
  let own: ((request: IncomingMessage, response: ServerResponse) => void) | null = null;
  let members: object = {};
  let last = 0;
  const server = createServer((request, response) => {
    asked += 1;
    response.setHeader('date', new Date(clock.now()).toUTCString());
    if (own !== null) return own(request, response);
    response.setHeader('cache-control', 'public, max-age=3600').end(JSON.stringify(document()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const name = `localhost:${(server.address() as AddressInfo).port}`;
  const limits = {
    max_request: 262_144,
    max_item: 65_536,
    max_items: 50,
    max_at_once: 2,
    requests_a_minute: 600,
  };

  function document(): object {
    last = Math.max(last + 1, Math.floor(clock.now() / 1_000));
    const content = {
      v: 1,
      home: name,
      doc_seq: last,
      issued_at: new Date(clock.now()).toISOString(),
      valid_until: new Date(clock.now() + 24 * hour).toISOString(),
      federation: { endpoint: `http://${name}/federation`, versions: ['1'], mode: 'open', limits },
      keys,
      ...members,
    };
    return by.reduce<object>((signed, key) => signRecord(signed, { key, typ: 'svc-home+jws' }), content);
  }

  return {
    name,
    asked: () => asked,
    lists(listed, signing) {
      [keys, by] = [listed, signing];
    },
    answers(answer) {
      own = answer;
    },
    says(more) {
      members = more;
    },
    document,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
