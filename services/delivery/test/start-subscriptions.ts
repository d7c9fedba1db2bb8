import { randomBytes } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { manualClock } from '@hearth/clock';
import { sql } from '@hearth/db';
import type { SubscribeRequestSchema } from '@hearth/proto/delivery/v1/subscriptions';
import type { Event } from '@hearth/proto/events/v1/events';
import { eventually } from '@hearth/testkit';
import { standInFederation } from './stand-in-federation.ts';
import type { KnownAi } from './stand-ins.ts';
import { callerOf, startStreams } from './start-streams.ts';
import { startReceiver } from './wake-up-receiver.ts';

export type Asked = Partial<MessageInitShape<typeof SubscribeRequestSchema>>;
export type TestSubscriptions = Awaited<ReturnType<typeof startSubscriptions>>;

export const newSecret = (bytes = 32) => `whsec_${randomBytes(bytes).toString('base64')}`;
export const secret = newSecret();

/** Origins on other hosts where no server listens. */
export const deaf = ['http://127.0.0.2:9', 'http://127.0.0.3:9'] as const;

/** Delivery with two receivers on this machine. */
export async function startSubscriptions(env: Record<string, string> = {}) {
  const clock = { now: () => manualClock('2026-03-01T12:00:00.000Z').now() };
  const now = () => clock.now();
  const [receiver, other] = [await startReceiver({ now }), await startReceiver({ now })];
  const federation = standInFederation();
  const home = await startStreams(
    { HEARTH_DEV_CALLBACKS: [receiver.origin, other.origin, ...deaf].join(), ...env },
    [federation.fake],
  );
  clock.now = home.clock.now;

  /** Resolves once nothing is in progress or due. */
  const quiet = () =>
    eventually(async () => {
      const { busy } = await home.database.db.one<{ busy: boolean }>(sql`select exists (
          select 1 from delivery.destinations where lease is not null or due_at <= ${new Date(home.clock.now())}) as busy`);
      return !busy;
    });

  const subscribe = (ai: KnownAi, request: Asked = {}) =>
    home
      .by(callerOf(ai))
      .subscribe(
        { id: 'me', name: 'message.direct', url: receiver.url, secret, ...request },
        { timeoutMs: 15_000 },
      );

  /** Sends messages to an AI, which wake it. */
  async function wake(ai: KnownAi, count = 1) {
    const events: Event[] = [];
    for (let index = 0; index < count; index += 1) events.push(await home.message(ai));
    return events.map(({ id }) => id);
  }

  return {
    ...home,
    receiver,
    other,
    federation,
    subscribe,
    /** An AI without an owner, with a subscription. */
    async subscriber(request?: Asked) {
      const ai = home.newAi();
      await subscribe(ai, request);
      return ai;
    },
    async list(ai: KnownAi) {
      return (await home.by(callerOf(ai)).listSubscriptions({ id: 'me' })).subscriptions;
    },
    wake,
    /** `wake`, and waits until nothing is in progress. */
    async woken(ai: KnownAi, count?: number) {
      const ids = await wake(ai, count);
      await quiet();
      return ids;
    },
    /** Advances the clock, and waits until what is due was sent: the home checks once a second. */
    async pass(milliseconds: number) {
      home.clock.advance(milliseconds);
      await quiet();
    },
    quiet,
    async stop() {
      await Promise.all([receiver.stop(), other.stop()]);
      await home.stop();
    },
  };
}
