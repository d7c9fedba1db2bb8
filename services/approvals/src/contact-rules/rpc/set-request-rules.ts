import { parseAddress, printAddress } from '@hearth/addresses';
import { badField } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { RequestRulesService, SetRequestRulesRequest } from '@hearth/proto/approvals/v1/request_rules';
import { Scope } from '@hearth/proto/options';
import type { Call, UnaryHandler } from '@hearth/rpc';
import { findSubject, mayChange } from '../actions/find-subject.ts';
import { showRules } from '../actions/show-rules.ts';
import type { Context } from '../context.ts';
import { lockRules, saveRules } from '../db/rules.ts';
import { rulesChanged } from '../domain/events.ts';
import { readRows, type Wanted, wantedRules } from '../domain/rule-rows.ts';
import { isEmpty, type SomeRows, withRows } from '../domain/rules.ts';
import { type Rules, rulesFor } from '../domain/rules-of.ts';
import { toStored } from '../domain/stored-rules.ts';

/** Sets the rules of the caller's person, or of a child they are guardian of. */
export const setRequestRules =
  (context: Context): UnaryHandler<typeof RequestRulesService.method.setRequestRules> =>
  async (request, call) => {
    const { clock, commit } = context;
    const { caller } = call;
    const subject = await findSubject(context, request.person, caller);
    mayChange(subject);
    const { facts, minor } = subject;
    const frontDoor = minor ? noFrontDoor(request) : await readFrontDoor(context, request, facts.id, call);
    await commit(async (tx) => {
      const present = rulesFor(await lockRules(tx, facts.id), minor);
      const wanted = minor ? wantedOfMinor(request, present) : wantedOfAdult(request, present, frontDoor);
      const rules = {
        person: facts.id,
        preset: wanted.preset,
        rows: toStored(wanted.rows),
        frontDoor: frontDoor === undefined ? present.frontDoor : frontDoor,
        byGuardian: minor,
      };
      await saveRules(tx, rules, new Date(clock.now()));
      tx.announce(rulesChanged(facts, caller));
    });
    return await showRules(context, subject, call);
  };

function wantedOfAdult(
  request: SetRequestRulesRequest,
  present: Rules,
  frontDoor: string | null | undefined,
): Wanted {
  const doorAlone =
    frontDoor !== undefined && request.preset === undefined && isEmpty(readRows(request.rules));
  return doorAlone ? present : wantedRules(request, present);
}

/** A child is reached through their guardian, or not at all. */
function wantedOfMinor(request: SetRequestRulesRequest, present: Rules): Wanted {
  if (request.preset !== undefined) {
    throw badField('preset', 'is for adults; of a person under 18 set the rows to ask or turn_away');
  }
  const changes: SomeRows = readRows(request.rules);
  if (isEmpty(changes)) throw badField('rules', 'give the rows that shall change');
  for (const [kind, rule] of Object.entries(changes)) {
    if (rule.action !== 'ask' && rule.action !== 'turn_away') {
      throw badField(
        `rules.${kind}.action`,
        'of a person under 18 is ask, which then comes to the guardian, or turn_away',
      );
    }
  }
  return { preset: null, rows: withRows(present.rows, changes) };
}

function noFrontDoor({ frontDoor }: SetRequestRulesRequest): undefined {
  if (frontDoor !== undefined && frontDoor !== '')
    throw badField('front_door', 'no AI stands at the front door of a person under 18: their guardian does');
  return undefined;
}

/** uuid of the named AI; null to remove the front door, undefined if the request leaves it out. */
async function readFrontDoor(
  { ais, homeNames, identity }: Context,
  { frontDoor }: SetRequestRulesRequest,
  person: string,
  call: Call,
): Promise<string | null | undefined> {
  if (frontDoor === undefined) return undefined;
  if (frontDoor === '') return null;
  const address = parseAddress(frontDoor, homeNames);
  let id = parseId('ai', frontDoor);
  if (id === null && address?.kind === 'ai' && address.home === undefined) {
    const { results } = await identity.findProfiles({ addresses: [printAddress(address)] }, { call });
    id = results[0]?.profile?.id ?? null;
  }
  const facts = id === null ? undefined : (await ais.findAis({ ids: [id] }, { call })).results[0]?.facts;
  if (facts === undefined || facts.owner !== person || facts.revoked)
    throw badField('front_door', 'must be the id or address of an AI of yours');
  if (!facts.permissions.includes(Scope.MESSAGE))
    throw badField('front_door', 'needs the permission "message" to answer for you; give it that first');
  return facts.id;
}
