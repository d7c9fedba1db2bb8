import { parseAddress, printAddress } from '@hearth/addresses';
import { badField } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { SetRequestRulesRequest } from '@hearth/proto/approvals/v1/request_rules';
import { Scope } from '@hearth/proto/options';
import type { Call } from '@hearth/rpc';
import { callingPerson, mayChange, whoseRules } from '../actions/find-subject.ts';
import { showRules } from '../actions/show-rules.ts';
import type { RulesContext } from '../context.ts';
import { lockRules, saveRules } from '../db/rules.ts';
import { rulesChanged } from '../domain/events.ts';
import { readRows, wantedRules } from '../domain/read-rows.ts';
import { isEmpty, type SomeRows, withRows } from '../domain/rules.ts';
import { type Rules, rulesFor } from '../domain/rules-of.ts';
import { toStored } from '../domain/stored-rules.ts';
import type { RequestRulesHandlers } from './index.ts';

/** By the person themselves; of somebody under 18 by a guardian. */
export const setRequestRules =
  (context: RulesContext): RequestRulesHandlers['setRequestRules'] =>
  async (request, call) => {
    const { clock, database, outbox, people } = context;
    const { caller } = call;
    callingPerson(caller);
    const subject = await whoseRules(people, request.person, caller);
    mayChange(subject);
    const { facts, minor } = subject;
    const frontDoor = minor ? noFrontDoor(request) : await readFrontDoor(context, request, facts.id, call);
    const changed = rulesChanged(outbox, facts, caller);
    await database.transaction(async (tx) => {
      const present = rulesFor(await lockRules(tx, facts.id), minor);
      const wanted = minor ? wantedOfMinor(request, present) : wantedOfAdult(request, present, frontDoor);
      await saveRules(
        tx,
        {
          person: facts.id,
          preset: wanted.preset,
          rows: toStored(wanted.rows),
          frontDoor: frontDoor === undefined ? present.frontDoor : frontDoor,
          byGuardian: minor,
        },
        new Date(clock.now()),
      );
      await outbox.announce(tx, [changed]);
    });
    outbox.committed([changed]);
    return await showRules(context, subject, call);
  };

type Wanted = Pick<Rules, 'preset' | 'rows'>;

function wantedOfAdult(
  request: SetRequestRulesRequest,
  present: Rules,
  frontDoor: string | null | undefined,
): Wanted {
  const doorAlone =
    frontDoor !== undefined && request.preset === undefined && isEmpty(readRows(request.rules));
  return doorAlone ? present : wantedRules(request, present);
}

/** Somebody under 18 is reached through their guardian or not at all. */
function wantedOfMinor(request: SetRequestRulesRequest, present: Rules): Wanted {
  if (request.preset !== undefined) {
    throw badField('preset', 'is for adults; of somebody under 18 set the rows to ask or turn_away');
  }
  const changes: SomeRows = readRows(request.rules);
  if (isEmpty(changes)) throw badField('rules', 'give the rows that shall change');
  for (const [kind, rule] of Object.entries(changes)) {
    if (rule.action !== 'ask' && rule.action !== 'turn_away') {
      throw badField(
        `rules.${kind}.action`,
        'of somebody under 18 is ask, which then comes to the guardian, or turn_away',
      );
    }
  }
  return { preset: null, rows: withRows(present.rows, changes) };
}

function noFrontDoor({ frontDoor }: SetRequestRulesRequest): undefined {
  if (frontDoor !== undefined && frontDoor !== '')
    throw badField('front_door', 'no AI stands at the front door of somebody under 18: their guardian does');
  return undefined;
}

/** uuid of the AI that was named; null for none, undefined when nothing was said. */
async function readFrontDoor(
  { ais, homeNames, profiles }: RulesContext,
  { frontDoor }: SetRequestRulesRequest,
  person: string,
  call: Call,
): Promise<string | null | undefined> {
  if (frontDoor === undefined) return undefined;
  if (frontDoor === '') return null;
  const address = parseAddress(frontDoor, homeNames);
  const id =
    parseId('ai', frontDoor) ??
    (address?.kind === 'ai' && address.home === undefined
      ? (await profiles.findProfiles({ addresses: [printAddress(address)] }, { call })).results[0]?.profile
          ?.id
      : undefined);
  const facts = id === undefined ? undefined : (await ais.findAis({ ids: [id] }, { call })).results[0]?.facts;
  if (facts === undefined || facts.owner !== person || facts.revoked)
    throw badField('front_door', 'must be the id or address of an AI of yours');
  if (!facts.permissions.includes(Scope.MESSAGE))
    throw badField('front_door', 'needs the permission "message" to answer for you; give it that first');
  return facts.id;
}
