import { connect, type Socket } from 'node:net';
import { eachOf } from './settle.ts';
import type { Wire } from './wire.ts';

const domain = 'localhost';
const open = `<stream:stream to="${domain}" version="1.0" xmlns="jabber:client" xmlns:stream="http://etherx.jabber.org/streams">`;
const sm = 'xmlns="urn:xmpp:sm:3"';
/** An element from the server within a stream. */
const element =
  /<(stream:features|stream:error|success|failure|enabled|message|presence|iq|r|a)\b[^>]*?(?:\/>|>[\s\S]*?<\/\1>)/g;
const stanzas = new Set(['message', 'presence', 'iq']);

/** One party's connection. */
interface Party {
  send(to: number, text: string): Promise<void>;
  receive(onText: (text: string) => void, onError: (words: string) => void): void;
  close(): void;
}

/**
 * XMPP: each party has a connection. A message counts as accepted once stream management (XEP-0198)
 * acknowledges it.
 */
export async function xmppWire(port: number, count: number): Promise<Wire> {
  const parties = new Array<Party>(count);
  const numbers = Array.from({ length: count }, (_, number) => number);
  await eachOf(numbers, 32, async (number) => {
    parties[number] = await joinAs(port, `u${number}`);
  });
  return {
    parties: count,
    send: (from, to, text) => parties[from]!.send(to, text),
    receive(onText, onError) {
      for (const party of parties) party.receive(onText, onError);
    },
    close() {
      for (const party of parties) party.close();
    },
  };
}

/** Registers a user (XEP-0077), signs in and enables stream management. */
async function joinAs(port: number, user: string): Promise<Party> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const unacknowledged: { resolve(): void; reject(error: Error): void }[] = [];
  let rest = '';
  let received = 0;
  let acknowledged = 0;
  let waiting: { names: readonly string[]; resolve(found: string): void } | undefined;
  let onText: (text: string) => void = () => {};
  let failed: (error: Error) => void = () => {};

  function take(name: string, text: string): void {
    if (stanzas.has(name)) received += 1;
    if (waiting?.names.includes(name)) {
      const { resolve } = waiting;
      waiting = undefined;
      resolve(text);
    } else if (name === 'message') {
      const body = /<body>([^<]*)<\/body>/.exec(text)?.[1];
      if (body !== undefined) onText(body);
    } else if (name === 'r') {
      socket.write(`<a ${sm} h="${received}"/>`);
    } else if (name === 'a') {
      const sent = Number(/\bh=['"](\d+)/.exec(text)?.[1]);
      for (; acknowledged < sent; acknowledged += 1) unacknowledged.shift()?.resolve();
    } else if (name === 'stream:error' || name === 'failure') {
      failed(new Error(`the server answered ${text}`));
    }
  }

  /** The next element with one of these names. */
  function next(...names: string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      failed = reject;
      waiting = { names, resolve };
    });
  }

  function ask(text: string, ...names: string[]): Promise<string> {
    const answer = next(...names);
    socket.write(text);
    return answer;
  }

  socket.setEncoding('utf8');
  socket.on('error', (error) => failed(error));
  socket.on('close', () => failed(new Error('the connection was closed')));
  socket.on('data', (chunk: string) => {
    rest += chunk;
    let end = 0;
    for (const found of rest.matchAll(element)) {
      end = found.index + found[0].length;
      take(found[1]!, found[0]);
    }
    rest = rest.slice(end);
  });

  await ask(open, 'stream:features');
  const registered = await ask(
    `<iq type="set" id="reg"><query xmlns="jabber:iq:register"><username>${user}</username><password>secret</password></query></iq>`,
    'iq',
  );
  if (!/type=['"]result/.test(registered)) throw new Error(`a registration was answered ${registered}`);
  const plain = Buffer.from(`\0${user}\0secret`).toString('base64');
  await ask(`<auth xmlns="urn:ietf:params:xml:ns:xmpp-sasl" mechanism="PLAIN">${plain}</auth>`, 'success');
  await ask(open, 'stream:features');
  await ask('<iq type="set" id="bind"><bind xmlns="urn:ietf:params:xml:ns:xmpp-bind"/></iq>', 'iq');
  await ask(`<enable ${sm}/>`, 'enabled');
  received = 0;
  socket.write('<presence/>');
  // The presence is the first stanza that the server acknowledges.
  unacknowledged.push({ resolve: () => {}, reject: () => {} });

  return {
    send: (to, text) =>
      new Promise((resolve, reject) => {
        unacknowledged.push({ resolve, reject });
        socket.write(`<message to="u${to}@${domain}" type="chat"><body>${text}</body></message><r ${sm}/>`);
      }),
    receive(listener, onError) {
      onText = listener;
      failed = (error) => {
        onError(error.message);
        for (const { reject } of unacknowledged.splice(0)) reject(error);
      };
    },
    close() {
      failed = () => {};
      socket.destroy();
    },
  };
}
