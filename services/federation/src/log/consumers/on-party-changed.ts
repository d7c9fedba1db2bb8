import { printId } from '@hearth/ids';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import { anonymous, type Client } from '@hearth/rpc';
import type { ReceivedEvent } from '@hearth/runtime';
import type { JsonObject } from '@hearth/signing';
import { appendItems } from '../actions/append-items.ts';
import { fullAddress } from '../actions/full-address.ts';
import { ownDraft } from '../actions/own-draft.ts';
import type { Context } from '../context.ts';
import { listAcquaintances, lockAcquaintances, writeTold } from '../db/acquaintances.ts';
import { noticeFor, type PresentParty } from '../domain/notice.ts';

export interface Deps extends Context {
  identity: Pick<Client<typeof IdentityService>, 'findProfiles'>;
}

/** A change of a party; `ask` if identity must be asked for the current state. */
type Change = { party: string; id: string; present: PresentParty | null | 'ask' };

const shownOfPeople = new Set(['name', 'handle', 'age_band', 'guest']);
const mostAtOnce = 100;

/** Notifies the homes that know a person or AI when it moved, was deleted, or its card changed. */
export const onPartyChanged = (context: Deps) => ({
  durable: 'parties-for-homes',
  types: [
    'ai_changed',
    'ai_claimed',
    'ai_unclaimed',
    'ai_unvouched',
    'ai_suspended',
    'ai_restored',
    'ai_revoked',
    'person_changed',
    'account_deleted',
    'request_rules_changed',
  ],
  async handle(received: readonly ReceivedEvent[]) {
    const changes = new Map(received.flatMap(changesOf).map((change) => [change.party, change]));
    const parties = [...changes.keys()];
    const known = await listAcquaintances(context.database.db, parties);
    if (known.length === 0) return;
    const present = await presentOf(context, [
      ...new Map(known.map(({ party }) => [party, changes.get(party)!])).values(),
    ]);
    for (const [home, those] of Map.groupBy(known, (acquaintance) => acquaintance.home))
      await tell(
        context,
        home,
        those.map(({ party }) => party),
        present,
      );
  },
});

function changesOf({ event: { data } }: ReceivedEvent): Change[] {
  const ai = (id: string, present: Change['present'] = 'ask') => [{ party: printId('ai', id), id, present }];
  const person = (id: string, present: Change['present'] = 'ask') => [
    { party: printId('per', id), id, present },
  ];
  switch (data.case) {
    case 'aiChanged':
      return ai(data.value.ai);
    case 'aiRevoked':
      return ai(data.value.ai, null);
    case 'aiClaimed':
    case 'aiUnclaimed':
    case 'aiUnvouched':
    case 'aiSuspended':
    case 'aiRestored':
      return data.value.ai === undefined ? [] : ai(data.value.ai.id);
    case 'personChanged':
      return data.value.person !== undefined && data.value.changed.some((field) => shownOfPeople.has(field))
        ? person(data.value.person.id)
        : [];
    case 'requestRulesChanged':
      return person(data.value.person);
    case 'accountDeleted':
      return data.value.deleted.flatMap((id) => person(id, null));
    default:
      return [];
  }
}

/** Returns the current state by public id. Deleted parties and people under 18 do not exist for other homes. */
async function presentOf(
  { identity, homeNames }: Deps,
  changes: readonly Change[],
): Promise<Map<string, PresentParty | null>> {
  const asked = changes.filter(({ present }) => present === 'ask');
  const found = new Map<string, PresentParty | null>();
  for (let at = 0; at < asked.length; at += mostAtOnce) {
    const some = asked.slice(at, at + mostAtOnce);
    const { results } = await identity.findProfiles({ ids: some.map(({ id }) => id) }, { caller: anonymous });
    some.forEach(({ party }, index) => {
      const profile = results[index]?.profile;
      const address = fullAddress(profile, homeNames);
      found.set(party, address === null ? null : { address, ownerPrivate: profile?.ownerPrivate ?? false });
    });
  }
  for (const { party, present } of changes) if (present !== 'ask') found.set(party, present);
  return found;
}

/** Sends the notice and records it in one transaction, so that a redelivered event sends nothing twice. */
async function tell(
  context: Deps,
  home: string,
  parties: readonly string[],
  present: ReadonlyMap<string, PresentParty | null>,
): Promise<void> {
  if ((await context.homes.policyOf(home)) === 'blocked') return;
  const now = new Date(context.clock.now());
  const destination = await context.commit(async (tx) => {
    const drafts = [];
    for (const known of await lockAcquaintances(tx, home, parties)) {
      const is = present.get(known.party) ?? null;
      const notice = noticeFor(known, is, known.cardUntil !== null && known.cardUntil > now);
      if (notice === null) continue;
      await writeTold(tx, known, notice.kind === 'gone' ? null : notice.address);
      drafts.push(ownDraft('notice', context.ids.uuid(), { ...notice } as JsonObject, now));
    }
    return drafts.length === 0 ? null : (await appendItems(tx, context, home, drafts)).destination;
  });
  if (destination !== null) context.engine.poke([destination]);
}
