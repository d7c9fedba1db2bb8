import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { signRequest } from '@hearth/http-signatures';
import { type JsonObject, keyPairFromSeed, signRecord } from '@hearth/signing';
import { sharedHome } from '@hearth/testkit/home';
import { standInDocument } from '@hearth/testkit/stand-in-document';

type Json = Record<string, unknown>;

/** An act by a party of the home under test. */
export interface Act {
  id: string;
  from: string;
  body: { on: string; operation: string; request: Json };
}

/** A home next to the shared one that sends whatever a test wants, in valid protocol form. */
export interface LyingHome {
  name: string;
  /** Sends an item; returns the refusal's code, or "ok". */
  send(item: object): Promise<string>;
  /** States an object of a kind, with a higher rev each time. */
  state(kind: string, object: Json, more: object): Promise<string>;
  /** Answers incoming acts: returns the result's body; may send items first. */
  answers(answer: (act: Act) => Promise<Json> | Json): void;
  record(of: object): object;
  stop(): Promise<void>;
}

const key = keyPairFromSeed(Buffer.alloc(32, 11));
const requestsAMinute = 100_000;
const day = 86_400_000;

export async function startLyingHome(): Promise<LyingHome> {
  const { beside, name: destination, urls } = sharedHome();
  const name = `localhost:${beside}`;
  const epoch = Math.floor(Date.now() / 1_000);
  let [seq, made] = [0, 0];
  let answer: (act: Act) => Promise<Json> | Json = () => ({ status: 200, answer: {} });
  let last: Promise<unknown> = Promise.resolve();

  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(beside, '127.0.0.1', resolve));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.url?.startsWith('/.well-known/'))
      return void response.end(standInDocument(name, [key], requestsAMinute));
    if (request.url !== '/federation/inbox')
      return void response.writeHead(404).end('{"error":"there is nothing here","code":"not_found"}');
    const push = JSON.parse(Buffer.concat(chunks).toString()) as { epoch: number; items: Json[] };
    const results = push.items.map(({ id, rev }) => ({ id, rev, status: 'ok' }));
    response.end(JSON.stringify({ epoch: push.epoch, seq: push.items.at(-1)!['seq'], results }));
    for (const item of push.items) if (item['type'] === 'act') void answered(item as never);
  }

  async function answered(act: Act): Promise<void> {
    const body = { act: act.id, ...(await answer(act)) };
    await send({ type: 'result', id: `r:${name}:res_${++made}`, rev: 1, body });
  }

  /** Sends items one after the other, because they are numbered in sequence. */
  function send(item: object): Promise<string> {
    const sent = last.then(() => push(item));
    last = sent.catch(() => {});
    return sent;
  }

  async function push(item: object): Promise<string> {
    const now = Date.now();
    const signed = signRecord(
      {
        ...{ v: 1, seq: seq + 1, origin: name, destination },
        issued_at: new Date(now).toISOString(),
        expires_at: new Date(now + day).toISOString(),
        ...item,
      } as JsonObject,
      { key, typ: 'svc-envelope+jws' },
    );
    const text = JSON.stringify({ v: 1, origin: name, destination, epoch, items: [signed] });
    const target = `${urls[0]}/federation/inbox`;
    const body = Buffer.from(text);
    const nonce = randomBytes(16).toString('base64url');
    const headers = signRequest(
      { method: 'POST', target, origin: name, destination, body },
      { key, now, nonce },
    );
    const taken = await fetch(target, { method: 'POST', headers, body });
    const said = (await taken.json()) as { results?: { status: string; code?: string }[] };
    const [result] = said.results ?? [];
    if (result === undefined) throw new Error(`${taken.status}: ${JSON.stringify(said)}`);
    seq += 1;
    return result.code ?? result.status;
  }

  return {
    name,
    send,
    async state(kind, object, more) {
      const rev = epoch + ++made;
      return await send({ type: 'state', id: object['id'], rev, ...more, body: { kind, object } });
    },
    answers(given) {
      answer = given;
    },
    record: (of) =>
      signRecord({ v: 1, home: name, issued_at: new Date().toISOString(), ...of } as JsonObject, {
        ...{ key, typ: 'svc-record+jws' },
      }),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
