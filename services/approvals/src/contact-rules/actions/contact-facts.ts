import { type HomeNames, homesAbove } from '@hearth/addresses';
import { isHere, isMinor, responsiblePerson } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Scope } from '@hearth/proto/options';
import { anonymous } from '@hearth/rpc';
import { homeOfTarget, personOfAi } from '../../shared/domain/block-target.ts';
import { kindOf, type RequestKindName } from '../../shared/domain/request-kinds.ts';
import type { PolicyContext } from '../context.ts';
import type { RulesRow } from '../db/rules.ts';
import { type BlockQuestion, readStanding } from '../db/standing.ts';
import type { ReachFacts } from '../domain/contact-policy.ts';
import { rulesFor } from '../domain/rules-of.ts';
import type { ContactAttempt } from './contact-policy.ts';

/** An attempt with all facts that decide it. */
export interface Contact {
  attempt: ContactAttempt;
  facts: ReachFacts;
  kind: RequestKindName;
  /** uuids of groups that the people behind sender and recipient share. */
  groups: readonly string[];
  /** uuids of a child's guardians, the responsible one first. */
  guardians: readonly string[];
}

/**
 * Reads all facts for every attempt, even where one alone decides, so that the time of a refusal does not
 * reveal its reason.
 */
export async function findContacts(
  context: PolicyContext,
  attempts: readonly ContactAttempt[],
): Promise<Contact[]> {
  const { database, homeNames, people } = context;
  const recipients = [...new Set(attempts.flatMap(({ recipient }) => recipient ?? []))];
  const known = await people.find(recipients);
  const guardians = attempts.map(({ recipient }) => guardianOf(known.get(recipient ?? '')));
  const blocks = [
    ...attempts.map((attempt) => blockQuestion(attempt, [attempt.recipient, attempt.recipientAi], homeNames)),
    ...attempts.map((attempt, index) => blockQuestion(attempt, [guardians[index] ?? null], homeNames)),
  ];
  const pairs = attempts.map(({ recipient, sender }) => ({
    person: recipient,
    sender: sender.id || null,
  }));
  const [{ rules, blocked, said, doors }, shared] = await Promise.all([
    readStanding(database.db, { people: recipients, blocks, pairs }).then(async (standing) => ({
      ...standing,
      doors: await doorsOf(context, standing.rules),
    })),
    sharedGroups(context, attempts),
  ]);
  return attempts.map((attempt, index) => {
    const { recipient, recipientAi } = attempt;
    const person = known.get(recipient ?? '');
    const minor = person !== undefined && isMinor(person);
    // The recipient's label for the sender takes precedence over the kind that the sender claims.
    const kind = kindOf(said[index]?.kind ?? '') ?? attempt.kind;
    const { groups, share } = shared[index]!;
    return {
      attempt,
      ...{ kind, groups, guardians: minor ? person.guardians : [] },
      facts: {
        ...relation(attempt, person),
        blocked: blocked[index]! || (recipient !== null && person === undefined),
        guardian: guardians[index] ?? null,
        guardianBlocks: blocked[attempts.length + index]!,
        takesAll: recipient === null,
        sharesGroup: share,
        minor,
        voiceless: minor && person.app === '' && person.email === '',
        toAi: recipientAi !== null,
        unseen: attempt.unseen === true,
        remembered: said[index]?.inbox === true,
        wroteBefore: attempt.wroteBefore,
        checked: attempt.checked,
        rule: rulesFor(rules.get(recipient ?? '') ?? null, minor).rows[kind],
        frontDoor: doors.get(recipient ?? '') ?? null,
      },
    };
  });
}

function relation(
  attempt: ContactAttempt,
  person: PersonFacts | undefined,
): Pick<ReachFacts, 'own' | 'family'> {
  const { sender, recipient, recipientAi, family } = attempt;
  const responsible = responsiblePerson(sender);
  const isItself = isHere(sender) && (sender.id === recipient || sender.id === recipientAi);
  return {
    own: recipient !== null && (responsible === recipient || isItself),
    family: family === true || (responsible !== null && person?.guardians.includes(responsible) === true),
  };
}

/** uuid of a child's responsible guardian; null for an adult. */
function guardianOf(person: PersonFacts | undefined): string | null {
  return person !== undefined && isMinor(person) ? (person.guardians[0] ?? null) : null;
}

export function blockQuestion(
  { sender }: ContactAttempt,
  owners: readonly (string | null)[],
  homeNames: HomeNames,
): BlockQuestion {
  const asked = { owners: owners.filter((id) => id !== null) };
  if (isHere(sender))
    return { ...asked, targetIds: [sender.id, sender.person].filter((id) => id !== null), targets: [] };
  const { address, home, id } = sender;
  const person = personOfAi(address, homeNames);
  const targets = [...homesAbove(home).map(homeOfTarget), ...(person === null ? [] : [person])];
  return { ...asked, targetIds: id === '' ? [] : [id], targets, address };
}

/** person -> the AI at their front door, if it may see requests. */
async function doorsOf(
  { ais }: PolicyContext,
  rules: ReadonlyMap<string, RulesRow>,
): Promise<Map<string, string>> {
  const chosen = [...rules.values()].flatMap(({ person, frontDoor }) =>
    frontDoor === null ? [] : [{ person, ai: frontDoor }],
  );
  if (chosen.length === 0) return new Map();
  const { results } = await ais.findAis({ ids: chosen.map(({ ai }) => ai) }, { caller: anonymous });
  const open = chosen.filter(({ person }, index) => {
    const facts = results[index]?.facts;
    return facts?.owner === person && !facts.revoked && facts.permissions.includes(Scope.MESSAGE);
  });
  return new Map(open.map(({ person, ai }) => [person, ai]));
}

interface Shared {
  share: boolean;
  groups: readonly string[];
}

/**
 * The groups that the people behind sender and recipient share; a group AI shares its own group with all
 * members.
 */
async function sharedGroups(
  { groups }: PolicyContext,
  attempts: readonly ContactAttempt[],
): Promise<Shared[]> {
  const pairs = attempts.flatMap((attempt, index) => {
    const one = responsiblePerson(attempt.sender);
    return one === null || attempt.recipient === null ? [] : [{ index, one, other: attempt.recipient }];
  });
  const [together, found] = await Promise.all([
    pairs.length === 0
      ? undefined
      : groups.shareGroup({ pairs: pairs.map(({ one, other }) => ({ one, other })) }, { caller: anonymous }),
    Promise.all(attempts.map((attempt) => runGroup(groups, attempt))),
  ]);
  pairs.forEach(({ index }, place) => {
    if (together?.share[place] === true)
      found[index] = { share: true, groups: together.shared[place]?.groups ?? [] };
  });
  return found;
}

/** The group that the sender runs, if the recipient is a member. */
async function runGroup(
  groups: PolicyContext['groups'],
  { sender, recipient }: ContactAttempt,
): Promise<Shared> {
  const own = isHere(sender) ? sender.group : null;
  if (own === null || recipient === null) return { share: false, groups: [] };
  const { group } = await groups.findMembership({ group: own, person: recipient }, { caller: anonymous });
  const runs = group !== undefined && !group.archived;
  return { share: runs, groups: runs ? [own] : [] };
}
