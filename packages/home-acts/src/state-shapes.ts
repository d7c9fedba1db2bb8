import type { DescMessage } from '@bufbuild/protobuf';
import { AgreementSchema } from '@hearth/proto/decisions/v1/agreements';
import { DecisionSchema } from '@hearth/proto/decisions/v1/decisions';
import { MeetingOfferSchema, MeetingSchema } from '@hearth/proto/decisions/v1/meetings';
import { PlanSchema } from '@hearth/proto/decisions/v1/plans';
import { GroupSchema } from '@hearth/proto/groups/v1/groups';
import { HomeInviteSchema } from '@hearth/proto/groups/v1/invites';
import { GroupPostSchema } from '@hearth/proto/messages/v1/group_posts';
import { isJsonObject, type JsonObject, type JsonValue } from '@hearth/signing';
import { type BrokenRule, brokenRule } from './broken-rule.ts';

/** Rules for the object of a state as a whole. Members are named by path, such as "group.name". */
export interface StateShape {
  desc: DescMessage;
  /** Members that must always be present. */
  always: readonly string[];
  /** Names and titles, of one line each. */
  lines: readonly string[];
}

/** By kind of state. Asks are read by approvals itself. */
export const stateShapes: Readonly<Record<string, StateShape>> = {
  group: { desc: GroupSchema, always: ['address'], lines: ['name'] },
  invite: {
    desc: HomeInviteSchema,
    always: ['status', 'group', 'created_at', 'expires_at'],
    lines: ['name', 'group.name'],
  },
  post: { desc: GroupPostSchema, always: ['group', 'at'], lines: ['from_name'] },
  decision: {
    desc: DecisionSchema,
    always: ['title', 'status', 'group', 'at', 'deadline'],
    lines: ['title', 'group.name'],
  },
  plan: {
    desc: PlanSchema,
    always: ['title', 'status', 'created_at', 'options', 'deadline'],
    lines: ['title', 'group_name'],
  },
  agreement: {
    desc: AgreementSchema,
    always: ['status', 'sides', 'created_at', 'sign_by', 'signing'],
    lines: [],
  },
  offer: { desc: MeetingOfferSchema, always: ['status', 'slots', 'created_at', 'expires_at'], lines: [] },
  meeting: {
    desc: MeetingSchema,
    always: ['status', 'starts_at', 'ends_at', 'booked_at'],
    lines: [],
  },
};

/**
 * Returns the first of its kind's rules that the object breaks; null if there is none.
 *
 * @param at the object's own path, such as "body.object"
 */
export function brokenShape(
  { always, lines }: Pick<StateShape, 'always' | 'lines'>,
  object: JsonObject,
  at: string,
): BrokenRule | null {
  const missing = always.find((path) => isMissing(memberAt(object, path)));
  if (missing !== undefined) return brokenRule(`${at}.${missing}`, 'must be there, as this home knows it');
  const long = lines.find((path) => {
    const text = memberAt(object, path);
    return typeof text === 'string' && !isLine(text);
  });
  if (long === undefined) return null;
  return brokenRule(`${at}.${long}`, `must be one line of at most ${longestLine} characters`);
}

function memberAt(object: JsonObject, path: string): JsonValue | undefined {
  return path
    .split('.')
    .reduce<JsonValue | undefined>((value, name) => (isJsonObject(value) ? value[name] : undefined), object);
}

/** Unknown values of a kind, status or other enum are read as empty. */
function isMissing(value: JsonValue | undefined): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

/** Whether a name or title from another home is a single line, no longer than local ones can be. */
export function isLine(text: string): boolean {
  return text.length <= longestLine && !text.includes('\n');
}

/** In UTF-16 units. */
const longestLine = 300;
