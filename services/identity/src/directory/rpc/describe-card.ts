import { readLocalAddress } from '@hearth/addresses';
import { nowDate } from '@hearth/clock';
import { notFound } from '@hearth/errors';
import { isMinor, seesWhole } from '@hearth/people';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Card } from '@hearth/proto/identity/v1/resources';
import { type Call, personOf, type UnaryHandler } from '@hearth/rpc';
import { listOpenVouchers } from '../../shared/db/vouches.ts';
import { cardTopic, groupsTopic, homeKeysTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';
import { findAway } from '../db/person-away.ts';
import { acceptsOfAi, acceptsOfPerson } from '../domain/accepts.ts';
import { isAway, notAway } from '../domain/away.ts';
import { toAiCard, toGroupCard, toPersonCard } from '../domain/card-content.ts';

/** Short, because a card's reach changes with the passage of time alone. */
const answerHoldsMs = 60_000;

interface Described {
  card: Card;
  acceptsOf?: string;
}

/**
 * The content of the card at a local address, as the caller may see it. Unknown addresses, AIs that were
 * switched off, and cards hidden from the caller all give the same error.
 */
export const describeCard =
  (context: Context): UnaryHandler<typeof IdentityService.method.describeCard> =>
  async ({ address: given }, call) => {
    if (given.startsWith('shp_')) return await shieldedCard(context, given, call);
    const address = readLocalAddress(given, 'address', context.homeNames);
    if (address.includes('.ai-')) return await aiCard(context, address, call);
    const handle = address.slice(1);
    return address.startsWith('&')
      ? await groupCard(context, handle, call)
      : await personCard(context, handle, call);
  };

async function aiCard(context: Context, address: string, call: Call): Promise<Described> {
  const { ais, clock, database, homeNames, visibility: rules } = context;
  const ai = await ais.at(address);
  if (ai === null) throw notFound();
  const now = nowDate(clock);
  const tellsFellows = ai.description !== '' || isAway(ai, now);
  const visibility = await rules.ofAi(ai, tellsFellows, call);
  if (visibility === null) throw notFound();
  call.validFor(
    answerHoldsMs,
    cardTopic(ai.id),
    homeKeysTopic,
    ...groupTopics(ai.ownerPrivate ? null : ai.owner, call),
  );
  const vouchedBy = ai.status === 'vouched' ? await listOpenVouchers(database.db, ai.id) : [];
  const { accepts, acceptsOf } = acceptsOfAi(ai, visibility);
  return { card: toAiCard(ai, { home: homeNames.ownHome, visibility, now, vouchedBy, accepts }), acceptsOf };
}

async function personCard(context: Context, handle: string, call: Call): Promise<Described> {
  const facts = await context.people.byHandle(handle);
  // A child's handle works only for viewers who see the child in full.
  if (facts === null || !seesWhole(facts, call.caller)) throw notFound();
  return await cardOfPerson(context, facts, call);
}

async function shieldedCard(context: Context, id: string, call: Call): Promise<Described> {
  const facts = await context.people.resolve(id, call.caller);
  if (facts === null || !isMinor(facts)) throw notFound();
  return await cardOfPerson(context, facts, call);
}

async function cardOfPerson(context: Context, facts: PersonFacts, call: Call): Promise<Described> {
  const { clock, database, homeNames, people, visibility: rules } = context;
  const now = nowDate(clock);
  const away = (await findAway(database.db, facts.id)) ?? notAway;
  const visibility = await rules.ofPerson(facts, isAway(away, now), call);
  if (visibility === null) throw notFound();
  call.validFor(answerHoldsMs, cardTopic(facts.id), homeKeysTopic, ...groupTopics(facts.id, call));
  const shown = people.show(facts, call.caller);
  const { accepts, acceptsOf } = acceptsOfPerson(facts);
  const card = toPersonCard(facts, shown, { home: homeNames.ownHome, visibility, now, away, accepts });
  return { card, acceptsOf };
}

async function groupCard({ homeNames, visibility }: Context, handle: string, call: Call): Promise<Described> {
  const group = await visibility.group({ handle }, call);
  if (group === null) throw notFound();
  return { card: toGroupCard(group, homeNames.ownHome) };
}

/** Changes when the viewer and the person begin or cease to share a group. */
function groupTopics(person: string | null, { caller }: Call): string[] {
  const viewer = personOf(caller);
  return person === null || viewer === null ? [] : [groupsTopic(viewer), groupsTopic(person)];
}
