import dns from 'node:dns';
import { create, toBinary } from '@bufbuild/protobuf';
import { systemClock } from '@hearth/clock';
import { badField, HearthError } from '@hearth/errors';
import { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import { CallerSchema } from '@hearth/proto/common/v1/caller';
import { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import { MessagesService, SendMessageRequestSchema } from '@hearth/proto/messages/v1/messages';
import { CallerKind } from '@hearth/proto/options';
import { eventually } from '@hearth/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Channel } from './channel.ts';
import type { Answer } from './dispatcher.ts';
import { createRemoteChannel, createRpcServer, type RpcServer } from './grpc.ts';
import {
  type Call,
  type CallOptions,
  createClient,
  createDispatcher,
  createLocalChannel,
  type Handlers,
} from './index.ts';
import { noMetadata } from './response-metadata.ts';

const caller = create(CallerSchema, { kind: CallerKind.AI, id: 'someone', address: '@free-abcdef.ai-one' });
const secret = 'a secret of this home';
const unexpected: string[] = [];
const refusals: string[] = [];
let lastCall: Call | undefined;
let lastRequest: unknown;
let large = 0;

/** Handlers that return what arrived; the request's text decides what they do. */
const messagesHandlers = new Proxy({} as Handlers<typeof MessagesService>, {
  get: (_, name) => async (request: { text?: string; owner?: string }, call: Call) => {
    lastCall = call;
    lastRequest = request;
    if (name === 'countUnread') return { count: 7 };
    if (name === 'listMessages' && large > 0) return { messages: [{ text: 'y'.repeat(large) }] };
    if (name === 'listMessages') {
      call.waitOn('messages:one', 'messages:two');
      call.validFor(5_000, 'card:one');
      call.answerWith(304);
      return { messages: [], unread: 3 };
    }
    if (request.text === 'bad') throw badField('text', 'is bad');
    if (request.text === 'broken') throw new TypeError('a bug');
    // Ended only by a deadline.
    if (request.text === 'slow') await new Promise((resolve) => setTimeout(resolve, 120_000).unref());
    return { id: 'msg_1', text: `${request.text}!`, from: call.caller.address };
  },
});

/** An ask whose callback is being challenged waits for the address. */
const approvalsHandlers = new Proxy({} as Handlers<typeof ApprovalsService>, {
  get: () => async (request: { callback?: string; title?: string }) => {
    if (request.callback !== undefined) await new Promise((resolve) => setTimeout(resolve, 2_000).unref());
    return { id: 'apr_1', title: request.title };
  },
});

const deliveryHandlers: Handlers<typeof DeliveryService> = {
  sendMail: async () => ({}),
  async *hold(requests) {
    for await (const request of requests) {
      if (request.watch.includes('fail')) throw badField('watch', 'cannot be watched');
      yield { acknowledged: request.sequence, woken: request.watch };
    }
  },
};

const dispatcher = createDispatcher({
  clock: systemClock,
  onUnexpected: (error) => unexpected.push(String(error.cause)),
});
dispatcher.add(MessagesService, messagesHandlers);
dispatcher.add(DeliveryService, deliveryHandlers);
dispatcher.add(ApprovalsService, approvalsHandlers);
for (const at of ['messages', 'groups', 'approvals']) {
  const shown = async () => ({ items: [{ title: at }] });
  const nothing = async () => ({});
  const handlers = {
    showItems: shown,
    acceptItem: nothing,
    declineItem: nothing,
    passItem: nothing,
    relabelItem: nothing,
    moveItems: nothing,
  };
  dispatcher.add(ItemSourceService, handlers, at);
}

const closing: (() => Promise<unknown>)[] = [];
const channels: Record<string, Channel> = {};
let health: RpcServer;
let whenAsked = async () => {};

beforeAll(async () => {
  const server = await createRpcServer({
    dispatcher,
    address: '127.0.0.1:0',
    services: ['messages'],
    secret,
    clock: systemClock,
    beforeReady: () => whenAsked(),
  });
  server.setServing(true);
  server.setReady(true);
  health = server;
  closing.push(() => server.stop(100));
  const remote = (peerSecret: string) => {
    const channel = createRemoteChannel({
      address: `127.0.0.1:${server.port}`,
      service: 'gateway',
      peer: 'messages',
      secret: peerSecret,
      clock: systemClock,
      onRefused: (words) => refusals.push(words),
    });
    closing.unshift(() => channel.close());
    return channel;
  };
  channels['local'] = createLocalChannel(dispatcher, systemClock.now);
  channels['remote'] = remote(secret);
  channels['stranger'] = remote('a guess');
});

afterAll(async () => {
  for (const close of closing) await close();
});

afterEach(() => {
  unexpected.length = 0;
});

test('a hot method receives the message itself within a process, and its bytes over the wire', async () => {
  const request = create(SendMessageRequestSchema, { text: 'hello' });
  const ask = (kind: string) =>
    createClient(MessagesService, { channel: channels[kind]!, service: 'gateway', clock: systemClock });
  await ask('local').sendMessage(request, { caller });
  expect(lastRequest).toBe(request);
  await ask('remote').sendMessage(request, { caller });
  expect(lastRequest).toEqual(request);
  expect(lastRequest).not.toBe(request);
});

describe.each(['local', 'remote'])('a %s client', (kind) => {
  const client = (service = 'gateway') =>
    createClient(MessagesService, { channel: channels[kind]!, service, clock: systemClock });
  const hold = () =>
    createClient(DeliveryService, {
      channel: channels[kind]!,
      service: 'gateway',
      clock: systemClock,
    }).hold();

  test('carries the request, the caller and the answer', async () => {
    const answer = await client().sendMessage({ text: 'hello' }, { caller });
    expect(answer).toMatchObject({ id: 'msg_1', text: 'hello!', from: caller.address });
    expect(lastCall?.service).toBe('gateway');
  });

  test('carries concurrent calls, each with its own result', async () => {
    const texts = Array.from({ length: 300 }, (_, index) => (index % 7 === 0 ? 'bad' : `text ${index}`));
    const outcomes = await Promise.allSettled(
      texts.map((text) => client().sendMessage({ text }, { caller, timeoutMs: 25_000 })),
    );
    outcomes.forEach((outcome, index) => {
      if (texts[index] === 'bad')
        expect(outcome).toMatchObject({ status: 'rejected', reason: { details: { field: 'text' } } });
      else expect(outcome).toMatchObject({ value: { text: `${texts[index]}!`, from: caller.address } });
    });
  });

  test('batched calls keep their own results', async () => {
    const one = client();
    const texts = Array.from({ length: 50 }, (_, index) => (index % 7 === 0 ? 'bad' : `text ${index}`));
    const outcomes = await Promise.allSettled(
      texts.map((text) => one.sendMessage({ text }, { caller, timeoutMs: 25_000 })),
    );
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(8);
    expect(outcomes[1]).toMatchObject({ value: { text: 'text 1!', from: caller.address } });
  });

  test('slow requests do not delay others of their batch', async () => {
    const channel = channels[kind] as Channel;
    const { askApproval } = createClient(ApprovalsService, {
      channel,
      service: 'gateway',
      clock: systemClock,
    });
    const done: string[] = [];
    const slow = Array.from({ length: 4 }, () =>
      askApproval({ title: 'a', callback: 'x' }, { caller }).then(({ title }) => done.push(title)),
    );
    const quick = await Promise.all(['b', 'c', 'd'].map((title) => askApproval({ title }, { caller })));
    expect(quick.map(({ title }) => title)).toEqual(['b', 'c', 'd']);
    expect(done).toEqual([]);
    await Promise.all(slow);
  });

  test('splits calls that are too large together, in either direction', async () => {
    const one = client();
    const texts = Array.from({ length: 60 }, (_, index) => `${index}${'x'.repeat(400_000)}`);
    const answers = await Promise.all(
      texts.map((text) => one.sendMessage({ text }, { caller, timeoutMs: 25_000 })),
    );
    expect(answers.map(({ text }) => text)).toEqual(texts.map((text) => `${text}!`));
  });

  test('carries answers too large for a batch', async () => {
    const one = client();
    large = 1_000_000;
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => one.listMessages({}, { caller, timeoutMs: 25_000 })),
    );
    large = 0;
    expect(answers.map(({ messages }) => messages[0]?.text.length)).toEqual(answers.map(() => 1_000_000));
  });

  test('carries an expected error whole', async () => {
    const error = await client()
      .sendMessage({ text: 'bad' }, { caller })
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(HearthError);
    expect(error).toMatchObject({
      kind: 'bad_request',
      message: 'text: is bad',
      details: { code: 'bad_field', field: 'text' },
    });
    expect(unexpected).toEqual([]);
  });

  test('hides an unexpected error, and reports it once', async () => {
    const error = await client()
      .sendMessage({ text: 'broken' }, { caller })
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ kind: 'internal', message: 'something went wrong inside the home' });
    expect(unexpected).toEqual(['TypeError: a bug']);
  });

  test('ends at its deadline', async () => {
    const error = await client()
      .sendMessage({ text: 'slow' }, { caller, timeoutMs: 100 })
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ kind: 'deadline_exceeded' });
  });

  test('propagates the remaining deadline of the call being served, minus a margin', async () => {
    const began = systemClock.now();
    const served = { caller, deadline: began + 3_000 } as Call;
    await client().sendMessage({ text: 'hello' }, { call: served });
    // The remaining time travels, so transit adds to it.
    const took = systemClock.now() - began;
    expect(lastCall!.deadline).toBeLessThanOrEqual(served.deadline - 15 + took);
    expect(lastCall!.caller).toMatchObject({ id: 'someone' });
  });

  test('returns what the handler attached to its answer', async () => {
    let metadata: Parameters<NonNullable<CallOptions['onMetadata']>>[0] | undefined;
    await client().listMessages(
      {},
      {
        caller,
        onMetadata: (said) => {
          metadata = said;
        },
      },
    );
    expect(metadata).toMatchObject({
      waitTopics: ['messages:one', 'messages:two'],
      validTopics: ['card:one'],
      validMs: 5_000,
      httpStatus: 304,
    });
  });

  test('admits only the declared services', async () => {
    expect(await client('gateway').countUnread({ owner: 'x' })).toMatchObject({ count: 7 });
    await expect(client('identity').countUnread({ owner: 'x' })).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(client('identity').sendMessage({ text: 'x' })).rejects.toMatchObject({ kind: 'forbidden' });
  });

  test('calls the named service where several serve the same interface', async () => {
    for (const peer of ['messages', 'groups', 'approvals']) {
      const options = { channel: channels[kind]!, service: 'approvals', peer, clock: systemClock };
      const { items } = await createClient(ItemSourceService, options).showItems({});
      expect(items).toMatchObject([{ title: peer }]);
    }
  });

  test('supports bidirectional streams', async () => {
    const stream = hold();
    stream.write({ sequence: 1n, watch: ['a'] });
    stream.write({ sequence: 2n, watch: ['b', 'c'] });
    const heard: string[][] = [];
    for await (const answer of stream.answers) {
      heard.push(answer.woken);
      if (answer.acknowledged === 2n) stream.end();
    }
    expect(heard).toEqual([['a'], ['b', 'c']]);
  });

  test('a failing stream ends with its error', async () => {
    const stream = hold();
    stream.write({ sequence: 1n, watch: ['fail'] });
    const read = async () => {
      for await (const _ of stream.answers);
    };
    await expect(read()).rejects.toMatchObject({ kind: 'bad_request', message: 'watch: cannot be watched' });
  });

  test('reports that it is ready', async () => {
    await channels[kind]!.ready(1_000);
  });
});

test("a caller without the home's secret is refused", async () => {
  const client = createClient(MessagesService, {
    channel: channels['stranger']!,
    service: 'gateway',
    clock: systemClock,
  });
  // The caller's credential is not at fault: a client of the home must not be told that its key is wrong.
  for (let call = 0; call < 3; call += 1)
    await expect(client.sendMessage({ text: 'hello' }, { caller })).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'a part of the home (messages) cannot be reached just now; try again in a moment',
      details: { code: 'unavailable' },
    });
  const words = /^refuses the calls of this process: HEARTH_PEER_SECRET must be the same/;
  expect(refusals).toEqual([expect.stringMatching(words)]);
  await expect(channels['stranger']!.ready(2_000)).rejects.toThrow(words);
});

test('a peer is ready when its dependencies answer, not merely when it runs', async () => {
  health.setReady(false);
  await expect(channels['remote']!.ready(2_000)).rejects.toThrow('messages is not ready');
  health.setReady(true);
  await channels['remote']!.ready(2_000);
});

test('a peer checks its dependencies on request only', async () => {
  let asked = 0;
  whenAsked = async () => {
    asked += 1;
    health.setReady(asked > 1);
  };
  await expect(channels['remote']!.ready(2_000)).rejects.toThrow('messages is not ready');
  await channels['remote']!.ready(2_000);
  expect(asked).toBe(2);
  whenAsked = async () => {
    throw new Error('the look failed');
  };
  await channels['remote']!.ready(2_000);
  whenAsked = async () => {};
});

describe('a replica that vanished', () => {
  /** Answers each call as told, in order; the last answer repeats. */
  function channelOf(...answers: (() => Promise<Answer>)[]): { channel: Channel; asked(): number } {
    let asked = 0;
    const unary = () => {
      asked += 1;
      return answers[Math.min(asked, answers.length) - 1]!();
    };
    return { channel: { ...channels['remote']!, unary }, asked: () => asked };
  }
  const silence = () => new Promise<Answer>(() => {});
  const seven = async (): Promise<Answer> => ({
    bytes: toBinary(
      MessagesService.method.countUnread.output,
      create(MessagesService.method.countUnread.output, { count: 7 }),
    ),
    metadata: noMetadata(),
  });
  const countUnread = (channel: Channel) =>
    createClient(MessagesService, { channel, service: 'gateway', clock: systemClock }).countUnread(
      {},
      { caller },
    );

  test('delays a read by half a second before it is retried', async () => {
    const { channel, asked } = channelOf(silence, seven);
    expect(await countUnread(channel)).toMatchObject({ count: 7 });
    expect(asked()).toBe(2);
  });

  test('causes no retry of a write', async () => {
    const { channel, asked } = channelOf(silence, seven);
    const client = createClient(MessagesService, { channel, service: 'gateway', clock: systemClock });
    void client.sendMessage({ text: 'hello' }, { caller });
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(asked()).toBe(1);
  });

  test('causes only a few retries when the whole home is slow', async () => {
    const { channel, asked } = channelOf(silence);
    const client = createClient(MessagesService, { channel, service: 'gateway', clock: systemClock });
    for (let call = 0; call < 200; call += 1) void client.countUnread({}, { caller });
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(asked()).toBe(200 + 16);
  });
});

describe('calls over streams', () => {
  const serve = async () => {
    const server = await createRpcServer({
      ...{ dispatcher, address: '127.0.0.1:0', services: ['messages'], secret, clock: systemClock },
    });
    return server;
  };
  const clientOf = (...ports: number[]) => clientAt(ports.map((port) => `127.0.0.1:${port}`).join());
  const clientAt = (address: string, freshMs?: number) => {
    const channel = createRemoteChannel({
      ...{ address, service: 'gateway', peer: 'messages', secret, clock: systemClock },
      ...(freshMs !== undefined && { freshMs }),
    });
    return {
      client: createClient(MessagesService, { channel, service: 'gateway', clock: systemClock }),
      close: () => channel.close(),
    };
  };

  test('move to another process before theirs stops, and none is lost', async () => {
    const servers = [await serve(), await serve()] as const;
    const { client, close } = clientOf(...servers.map(({ port }) => port));
    let going = true;
    let answered = 0;
    const caller = async () => {
      for (; going; answered += 1) await client.sendMessage({ text: 'hello' });
    };
    const callers = Promise.all(Array.from({ length: 8 }, caller));
    await eventually(() => answered > 100);
    const began = performance.now();
    await servers[0].stop(20_000);
    // It did not wait for the end of its grace period.
    expect(performance.now() - began).toBeLessThan(10_000);
    const before = answered;
    await eventually(() => answered > before + 100);
    going = false;
    await callers;
    await close();
    await servers[1].stop(1_000);
  });

  test('fail as unavailable with their process, and later calls reach another one', async () => {
    const servers = [await serve(), await serve()] as const;
    const { client, close } = clientOf(servers[0].port);
    await client.sendMessage({ text: 'hello' });
    const lost = client.sendMessage({ text: 'slow' }).catch((thrown) => thrown);
    await eventually(() => (lastRequest as { text?: string }).text === 'slow');
    await servers[0].stop(0);
    expect(await lost).toMatchObject({ kind: 'unavailable', details: { code: 'unavailable' } });
    await close();
    const next = clientOf(servers[0].port, servers[1].port);
    await eventually(async () => (await next.client.countUnread({})).count === 7);
    await next.close();
    await servers[1].stop(1_000);
  });

  test('reach a process added behind the name, and none fails while connections are replaced', async () => {
    const asked = [0, 0];
    const counting = (index: number) => {
      const counted = createDispatcher({ clock: systemClock, onUnexpected: () => {} });
      const count = async () => {
        asked[index]! += 1;
        return { count: index };
      };
      counted.add(MessagesService, new Proxy({} as Handlers<typeof MessagesService>, { get: () => count }));
      return counted;
    };
    const options = { services: ['messages'], secret, clock: systemClock };
    const first = await createRpcServer({ ...options, dispatcher: counting(0), address: '127.0.0.1:0' });
    const address = `127.0.0.2:${first.port}`;
    const second = await createRpcServer({ ...options, dispatcher: counting(1), address });
    const behind = ['127.0.0.1'];
    const lookup = jest
      .spyOn(dns.promises, 'lookup')
      .mockImplementation((async () => behind.map((found) => ({ address: found, family: 4 }))) as never);
    const { client, close } = clientAt(`messages.invalid:${first.port}`, 100);
    for (let call = 0; call < 20; call += 1) await client.countUnread({});
    expect(asked).toEqual([20, 0]);
    behind.push('127.0.0.2');
    await eventually(async () => (await client.countUnread({})).count === 1);
    behind.shift();
    // Open streams stay; new ones go to the second process.
    await eventually(async () => (await client.countUnread({})).count === 1);
    const until = performance.now() + 3_000;
    const calls = async () => {
      while (performance.now() < until) await client.countUnread({});
    };
    await Promise.all(Array.from({ length: 8 }, calls));
    lookup.mockRestore();
    await close();
    for (const server of [first, second]) await server.stop(1_000);
  });
});

test('a missing peer is unavailable at once', async () => {
  const channel = createRemoteChannel({
    address: '127.0.0.1:1',
    service: 'gateway',
    peer: 'messages',
    secret,
    clock: systemClock,
  });
  const client = createClient(MessagesService, { channel, service: 'gateway', clock: systemClock });
  await expect(client.getMessage({ id: 'msg_1' }, { caller, timeoutMs: 2_000 })).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('messages'),
  });
  await channel.close();
});
