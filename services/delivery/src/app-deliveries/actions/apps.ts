import type { Bus } from '@hearth/bus';
import { createFactCache } from '@hearth/cache/facts';
import { type Clock, second } from '@hearth/clock';
import { createCoalescer } from '@hearth/coalesce';
import type { AppFacts, AppsService } from '@hearth/proto/identity/v1/apps';
import { anonymous, type Client } from '@hearth/rpc';
import type { Sealer } from '@hearth/sealing';

/** An app, as far as delivery needs it. */
export interface KnownApp {
  /** uuid */
  id: string;
  name: string;
  contactEmail: string;
  /** Empty if the app has none. */
  url: string;
  /** The signing secrets, the current one first. */
  secrets: readonly string[];
  /** The event types that the app subscribed to; null for all. */
  types: string[] | null;
  /** Whether the app subscribed to this event type. */
  wants(type: string): boolean;
}

/**
 * The apps of this home, cached briefly. A change drops the cached app in every process (signal `apps`, with
 * its uuid).
 */
export interface Apps {
  /** Returns null if there is no such app. */
  find(id: string): Promise<KnownApp | null>;
  /** `find` past the cache. */
  fetch(id: string): Promise<KnownApp | null>;
  /** Drops an app from this process's cache. */
  forget(id: string): void;
}

const maxKnown = 5_000;
const maxAsked = 500;

export function createApps(options: {
  identity: Pick<Client<typeof AppsService>, 'findApps'>;
  bus: Pick<Bus, 'onSignal' | 'onReconnect'>;
  clock: Clock;
  sealer: Pick<Sealer, 'open'>;
}): Apps {
  const { identity, bus, clock, sealer } = options;
  const known = createFactCache<KnownApp | null>({
    clock,
    max: maxKnown,
    keptMs: 30 * second,
    bus,
    signals: ['apps'],
  });
  const batched = createCoalescer<string, KnownApp | null>({
    name: 'batch of apps',
    maxBatch: maxAsked,
    async run(ids) {
      const keep = known.keeper();
      const { results } = await identity.findApps({ ids: [...ids] }, { caller: anonymous });
      return ids.map((id, index) => {
        const facts = results[index]?.facts;
        const app = facts === undefined ? null : toApp(facts, sealer);
        keep(id, app);
        return app;
      });
    },
  });

  return {
    async find(id) {
      const kept = known.get(id);
      return kept !== undefined ? kept : await batched.add(id);
    },
    fetch: (id) => batched.add(id),
    forget: known.forget,
  };
}

function toApp(facts: AppFacts, sealer: Pick<Sealer, 'open'>): KnownApp {
  const { id, name, contactEmail, webhookUrl, eventTypes, signingSecrets } = facts;
  const context = `app.signing_secret:${id}`;
  return {
    id,
    name,
    contactEmail,
    url: webhookUrl,
    secrets: signingSecrets.map((sealed) => sealer.open(Buffer.from(sealed), context).toString()),
    types: eventTypes.length === 0 ? null : [...eventTypes],
    wants: (type) => eventTypes.length === 0 || eventTypes.includes(type),
  };
}
