import { day, hour, minute, second } from '@hearth/clock';
import { startEngine } from '@hearth/outbound';
import { HomeRequestsService } from '@hearth/proto/federation/v1/items';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { Host } from '@hearth/runtime';
import type { Homes } from '../homes/module.ts';
import type { KeyRing } from '../signing/module.ts';
import { createAcquaintances } from './actions/acquaintances.ts';
import { renewing } from './actions/append-items.ts';
import { endOpen } from './actions/apply-answer.ts';
import { createChecks } from './actions/check-request.ts';
import { decideWaiting } from './actions/decide-waiting.ts';
import { createFirstContacts } from './actions/first-contacts.ts';
import { createHandOver } from './actions/hand-over.ts';
import { pullItems } from './actions/pull-items.ts';
import { createPushKind } from './actions/push-kind.ts';
import { createReceivers } from './actions/receivers.ts';
import { onItem } from './consumers/on-item.ts';
import { onKeyRevoked } from './consumers/on-key-revoked.ts';
import { onPartyChanged } from './consumers/on-party-changed.ts';
import type { Context } from './context.ts';
import { forgetAcquaintancesOf, purgeAcquaintances } from './db/acquaintances.ts';
import { lockLog, nextPull, nudgeLog, staggerLogs, writeLog } from './db/logs.ts';
import { hasNonces, purgeNonces } from './db/nonces.ts';
import { forgetActs, purgeActs } from './db/received-acts.ts';
import {
  forgetReceived,
  nextWaiting,
  purgeErased,
  purgeReceived,
  purgeStrangersItems,
} from './db/received-items.ts';
import { purgeReturnedActs } from './db/returned-acts.ts';
import { purgeSent } from './db/sent-items.ts';
import { strangersKeptMs } from './domain/strangers.ts';

/** After a start, due logs are spread over at most this time. */
const staggerMs = 2 * minute;
/** How long items stay readable after they were settled. */
const sentKeptMs = 30 * day;
const receivedKeptMs = 400 * day;
const purgeBatch = 10_000;

/** Logs with other homes: items are sent in order, and accepted once. */
export async function startLog(
  host: Host,
  { homes, keyRing }: { homes: Homes; keyRing: KeyRing },
): Promise<{ nudge(home: string): Promise<void> }> {
  const { clock, config, database } = host;
  const began = clock.now();
  const parts = {
    ...host,
    home: config.home,
    endpoint: `${config.siteUrl}/federation`,
    devHomes: [...config.devHomes, config.home],
    keyRing,
    homes,
    receivers: createReceivers(),
    handOver: createHandOver(host),
    firstContacts: createFirstContacts(host),
    acquaintances: createAcquaintances(host),
  };
  await database.statement((tx) => staggerLogs(tx, new Date(began), staggerMs));
  const engine = startEngine(host, 'federation');
  engine.add(createPushKind(parts));
  const context: Context = { ...parts, engine };
  host.consume(onItem(context));
  host.consume(onKeyRevoked(context));
  host.consume(onPartyChanged({ ...context, identity: host.peer('identity', IdentityService) }));
  // An empty store may have been lost, so requests created before now cannot be proven new.
  const noncesSince = (await hasNonces(database.db)) ? 0 : Math.floor(began / second) * second;
  const checks = createChecks(context, noncesSince);
  homes.on({
    async beganAnew(tx, home) {
      const now = new Date(clock.now());
      await forgetAcquaintancesOf(tx, home);
      const log = await lockLog(tx, home, host.ids.uuid());
      const ended = await endOpen(tx, log, now);
      await forgetReceived(tx, home);
      await forgetActs(tx, home);
      const fresh = {
        ...ended,
        inEpoch: 0,
        inSeq: 0,
        restored: null,
        restoredAt: null,
        ...{ lostEpoch: null, lostSeq: null, lostAt: null },
        attempts: 0,
        failingSince: null,
        holdUntil: null,
        denied: false,
        lastError: null,
        dueAt: null,
      };
      await writeLog(tx, { ...renewing(fresh, log.epoch, now), dueAt: null });
    },
  });
  host.whenDue('decide-items', 5 * second, { sql: nextWaiting, atStart: true }, () => decideWaiting(context));
  // Fetches each log once after a start, and then daily.
  let anew = true;
  const pullDue = { sql: nextPull, known: () => (anew ? clock.now() : undefined) };
  host.whenDue('pull-items', 10 * second, pullDue, async () => {
    anew = await pullItems(context, began);
  });
  host.every('purge-items', hour, async () => {
    const now = clock.now();
    const ago = (ms: number) => new Date(now - ms);
    await purgeAll(() => database.statement((tx) => purgeSent(tx, ago(sentKeptMs), purgeBatch)));
    await purgeAll(() => database.statement((tx) => purgeActs(tx, ago(sentKeptMs), purgeBatch)));
    await purgeAll(() => database.statement((tx) => purgeReceived(tx, ago(receivedKeptMs), purgeBatch)));
    await purgeAll(() =>
      database.statement((tx) => purgeStrangersItems(tx, ago(strangersKeptMs), purgeBatch)),
    );
    await database.statement((tx) => purgeReturnedActs(tx, ago(sentKeptMs)));
    await database.statement((tx) => purgeErased(tx, new Date(now)));
    await database.statement((tx) => purgeAcquaintances(tx, new Date(now), ago(receivedKeptMs)));
    await database.statement((tx) => purgeNonces(tx, new Date(now)));
  });
  await host.serveRpcs(HomeRequestsService, import.meta.url, { ...context, checks });
  return {
    async nudge(home) {
      const nudged = await database.statement((tx) => nudgeLog(tx, home, new Date(clock.now())));
      if (nudged !== null) engine.poke([nudged]);
    },
  };
}

async function purgeAll(some: () => Promise<number>): Promise<void> {
  while ((await some()) === purgeBatch);
}
