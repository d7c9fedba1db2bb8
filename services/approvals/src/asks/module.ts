import { day, second } from '@hearth/clock';
import { createGuardedHttp } from '@hearth/guarded-http';
import { createPeople } from '@hearth/people';
import { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import { FederationService } from '@hearth/proto/federation/v1/federation';
import { RecordsService } from '@hearth/proto/federation/v1/records';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Host } from '@hearth/runtime';
import { createBackground } from './actions/background.ts';
import { createGathered } from './actions/batched.ts';
import { createCallbackSender } from './actions/callback-sender.ts';
import { followGuardians } from './actions/move-to-guardians.ts';
import { followDoors } from './actions/pass-from-door.ts';
import { sendMails } from './actions/send-mails.ts';
import { endRecipients } from './consumers/on-recipient-ended.ts';
import type { Context, Rules } from './context.ts';
import { heardTypes, movedTypes } from './domain/received-events.ts';
import { expireDue } from './jobs/expire-approvals.ts';
import { purgeCallbacks } from './jobs/purge-callbacks.ts';
import { finishSettled } from './jobs/sign-settled.ts';
import { approvalsHandlers } from './rpc/index.ts';

/** Asks, their answers, and what is told of them. */
export function startApprovals(host: Host, rules: Rules): Context {
  const context = createContext(host, rules);
  host.serve(ApprovalsService, approvalsHandlers(context));
  host.hear({
    durable: 'ends',
    types: heardTypes,
    handle: (heard) =>
      endRecipients(
        context,
        heard.map(({ event }) => event),
      ),
  });
  host.hear({
    durable: 'moves',
    types: movedTypes,
    async handle(heard) {
      const events = heard.map(({ event }) => event);
      await followGuardians(context, events);
      await followDoors(context, events);
    },
  });
  host.every('end of asks', 2 * second, () => expireDue(context));
  host.every('signing of what settled', 5 * second, () => finishSettled(context));
  host.every('callbacks', second, () => context.callbacks.kick());
  host.every('e-mails about asks', 5 * second, () => sendMails(context));
  host.every('purge of callbacks', day, () => purgeCallbacks(context));
  host.onDrain(() => context.background.idle());
  return context;
}

function createContext(host: Host, rules: Rules): Context {
  const { bus, clock, config, database, ids, limiter, limits, log, outbox, random, sealer } = host;
  const http = createGuardedHttp({ clock, devOrigins: config.devCallbacks });
  host.onStop(() => http.close());
  const peers: Context['peers'] = {
    identity: host.peer('identity', IdentityService),
    people: host.peer('identity', PeopleService),
    ais: host.peer('identity', AisService),
    groups: host.peer('groups', GroupsService),
    records: host.peer('federation', RecordsService),
    federation: host.peer('federation', FederationService),
    delivery: host.peer('delivery', DeliveryService),
  };
  const callbacks = createCallbackSender({ clock, database, http, log, peers, random });
  host.onDrain(() => callbacks.stop());
  return {
    homeNames: { ownHome: config.home, devHomes: config.devHomes },
    siteUrl: config.siteUrl,
    childTaps: config.childTaps,
    clock,
    ids,
    random,
    log,
    database,
    outbox,
    gathered: createGathered(database, outbox),
    limits,
    limiter,
    sealer,
    people: createPeople({ identity: peers.people, bus, clock, sealer }),
    peers,
    rules,
    http,
    callbacks,
    background: createBackground(log),
  };
}
