import { randomBytes } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { manualClock } from '@hearth/clock';
import type { SubscribeRequestSchema, Subscription } from '@hearth/proto/delivery/v1/subscriptions';
import type { Event } from '@hearth/proto/events/v1/events';
import { type StandInFederation, standInFederation } from './stand-in-federation.ts';
import type { KnownAi } from './stand-ins.ts';
import { callerOf, startStreams, type TestStreams } from './start-streams.ts';
import { startReceiver, type WakeUpReceiver } from './wake-up-receiver.ts';

export type Asked = Partial<MessageInitShape<typeof SubscribeRequestSchema>>;

export interface TestSubscriptions extends TestStreams {
  receiver: WakeUpReceiver;
  /** At another address of this machine. */
  other: WakeUpReceiver;
  federation: StandInFederation;
  subscribe(ai: KnownAi, request?: Asked): Promise<Subscription>;
  list(ai: KnownAi): Promise<Subscription[]>;
  /** A message comes to an AI, that wakes it. */
  wake(ai: KnownAi, count?: number): Promise<string[]>;
  /** Time passes, and what is due goes out: the home looks once a second. */
  pass(milliseconds: number): Promise<void>;
  /** Resolves when nothing is in hand or due any more. */
  quiet(): Promise<void>;
}

export const newSecret = (bytes = 32) => `whsec_${randomBytes(bytes).toString('base64')}`;
export const secret = newSecret();

/** Delivery with receivers on this machine. */
export async function startSubscriptions(env: Record<string, string> = {}): Promise<TestSubscriptions> {
  const clock = { now: () => manualClock('2026-03-01T12:00:00.000Z').now() };
  const receivers = [
    await startReceiver({ now: () => clock.now() }),
    await startReceiver({ now: () => clock.now() }),
  ];
  const [receiver, other] = receivers as [WakeUpReceiver, WakeUpReceiver];
  const federation = standInFederation();
  const home = await startStreams(
    { HEARTH_DEV_CALLBACKS: receivers.map(({ origin }) => origin).join(), ...env },
    [federation.service],
  );
  clock.now = home.clock.now;

  async function quiet(): Promise<void> {
    const end = performance.now() + 15_000;
    for (;;) {
      const { busy } = await home.database.db.one<{ busy: boolean }>({
        text: `select exists (
          select 1 from delivery.destinations where lease is not null or due_at <= $1) as busy`,
        values: [new Date(home.clock.now())],
      });
      if (!busy) return;
      if (performance.now() > end) throw new Error('something is due all the time');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  return {
    ...home,
    receiver,
    other,
    federation,
    subscribe: (ai, request = {}) =>
      home.wakeUps.subscribe(
        { id: 'me', name: 'message.direct', url: receiver.url, secret, ...request },
        { caller: callerOf(ai), timeoutMs: 15_000 },
      ),
    async list(ai) {
      return (await home.wakeUps.listSubscriptions({ id: 'me' }, { caller: callerOf(ai) })).subscriptions;
    },
    async wake(ai, count = 1) {
      const events: Event[] = [];
      for (let index = 0; index < count; index += 1) events.push(await home.message(ai));
      return events.map(({ id }) => id);
    },
    async pass(milliseconds) {
      home.clock.advance(milliseconds);
      await quiet();
    },
    quiet,
    async stop() {
      await Promise.all(receivers.map((one) => one.stop()));
      await home.stop();
    },
  };
}
