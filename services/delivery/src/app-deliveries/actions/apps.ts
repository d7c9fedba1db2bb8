import type { Bus } from '@hearth/bus';
import { type Clock, second } from '@hearth/clock';
import { createCoalescer } from '@hearth/coalesce';
import type { AppFacts, AppsService } from '@hearth/proto/identity/v1/apps';
import { anonymous, type Client } from '@hearth/rpc';
import type { Sealer } from '@hearth/sealing';

/** An app as delivery knows it. */
export interface KnownApp {
  /** uuid */
  id: string;
  name: string;
  contactEmail: string;
  /** Empty when the app has none. */
  url: string;
  /** The signing secrets, the present one first. */
  secrets: readonly string[];
  /** The types that it asked for; null for every one. */
  types: string[] | null;
  /** Whether the app asked for events of this type. */
  wants(type: string): boolean;
}

/** The apps of this home: cached for a moment, forgotten everywhere when one changes (signal `apps`, with its uuid). */
export interface Apps {
  /** Null when there is no such app. */
  find(id: string): Promise<KnownApp | null>;
  /** The same as it is at this moment, whatever is cached. */
  fetch(id: string): Promise<KnownApp | null>;
  /** Forgets an app in this process. */
  forget(id: string): void;
}

const keptMs = 30 * second;
const maxKnown = 5_000;
const maxAsked = 500;

export function createApps(options: {
  identity: Pick<Client<typeof AppsService>, 'findApps'>;
  bus: Pick<Bus, 'onSignal' | 'onReconnect'>;
  clock: Clock;
  sealer: Pick<Sealer, 'open'>;
}): Apps {
  const { identity, bus, clock, sealer } = options;
  const known = new Map<string, { app: KnownApp | null; until: number }>();
  /** Rises when anything is forgotten: an answer that was asked for before must not be kept. */
  let generation = 0;

  const batched = createCoalescer<string, KnownApp | null>({
    name: 'batch of apps',
    maxBatch: maxAsked,
    async run(ids) {
      const asked = generation;
      const { results } = await identity.findApps({ ids: [...ids] }, { caller: anonymous });
      return ids.map((id, index) => {
        const facts = results[index]?.facts;
        const app = facts === undefined ? null : toApp(facts, sealer);
        if (asked === generation) keep(id, app);
        return app;
      });
    },
  });

  const keep = (id: string, app: KnownApp | null) => {
    known.delete(id);
    known.set(id, { app, until: clock.now() + keptMs });
    // The one that was asked for longest ago.
    if (known.size > maxKnown) known.delete(known.keys().next().value as string);
  };
  const forget = (id: string) => {
    generation += 1;
    if (id === '') known.clear();
    else known.delete(id);
  };
  bus.onSignal('apps', (payload) => forget(Buffer.from(payload).toString()));
  bus.onReconnect(() => forget(''));

  return {
    async find(id) {
      const entry = known.get(id);
      return entry !== undefined && entry.until > clock.now() ? entry.app : await batched.add(id);
    },
    fetch: (id) => batched.add(id),
    forget,
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
