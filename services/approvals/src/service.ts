import { notFound } from '@hearth/errors';
import type { Host, ServiceDefinition, ServiceName } from '@hearth/runtime';
import { startApprovals } from './approvals.ts';
import type { Rules } from './context.ts';
import { findRules } from './db/rules.ts';
import { labelSender } from './db/senders.ts';
import { rulesFor as rulesOf } from './domain/rules-of.ts';
import type { Reach } from './reach/reach.ts';
import { startReach, startRules } from './rules.ts';

/** Asks and their signed answers, what people let reach them, and what they do not want to hear from again. */
export const approvals: ServiceDefinition = {
  name: 'approvals' as string as ServiceName,
  migrations: new URL('../migrations/', import.meta.url),
  async start(host) {
    const reach = startReach(host);
    startRules(host, reach);
    startApprovals(host, rulesFor(host, reach));
  },
};

/** What the request rules do for asks. */
function rulesFor({ clock, database }: Host, reach: Reach): Rules {
  return {
    reach,
    async relabel(person, sender, kind) {
      await database.statement((tx) => labelSender(tx, person, sender, kind, new Date(clock.now())));
      const rules = await findRules(database.db, [person]);
      return rulesOf(rules.get(person) ?? null, false).rows[kind].action;
    },
    async relabelOther() {
      throw notFound();
    },
  };
}
