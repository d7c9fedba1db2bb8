import { timestampMs } from '@bufbuild/protobuf/wkt';
import { cleanLine, shorten } from '@hearth/addresses';
import { isUuid, parseId } from '@hearth/ids';
import { shortenName } from '@hearth/people';
import type { Actor } from '@hearth/proto/common/v1/caller';
import type { Event } from '@hearth/proto/events/v1/events';
import { CallerKind } from '@hearth/proto/options';
import { type EventCase, typesOf } from '../../shared/domain/event-data.ts';
import type { ActivityRow, ActorColumns } from '../db/activity.ts';
import type { Draft, Mappers } from './draft.ts';
import { aiEvents } from './of-ais.ts';
import { approvalEvents } from './of-approvals.ts';
import { groupEvents } from './of-groups.ts';
import { inviteEvents } from './of-invites.ts';
import { operatorEvents } from './of-operator.ts';
import { peopleEvents } from './of-people.ts';

const mappers: Mappers = {
  ...aiEvents,
  ...approvalEvents,
  ...groupEvents,
  ...inviteEvents,
  ...operatorEvents,
  ...peopleEvents,
};

/** The cases of Event.data that make activity. Direct messages make none: they have lists of their own. */
export const activityCases = Object.keys(mappers) as EventCase[];
export const activityTypes = typesOf(mappers);

const maxSummary = 300;
const day = 24 * 60 * 60 * 1_000;
const toUuid = (text: string | undefined) => (text !== undefined && isUuid(text) ? text : null);

/** The rows of an event; none for events that are no activity, or have no id or time. */
export function rowsOf(event: Event): ActivityRow[] {
  const id = parseId('evt', event.id);
  const { data, at: moment, by } = event;
  if (id === null || moment === undefined || data.case === undefined) return [];
  const mapper = mappers[data.case] as ((value: unknown, who: string | null) => Draft | Draft[]) | undefined;
  if (mapper === undefined) return [];
  const actor = actorColumns(by);
  const drafts = [mapper(data.value, inWords(by, actor))].flat();
  return drafts.map((draft, part) => toRow({ event: id, part, at: timestampMs(moment) }, draft, actor, by));
}

function toRow(
  { event, part, at }: { event: string; part: number; at: number },
  draft: Draft,
  actor: ActorColumns,
  by: Actor | undefined,
): ActivityRow {
  const about = toUuid(draft.about?.id);
  const aboutMinor = draft.about?.minor ?? false;
  const startOfDay = Math.floor(at / day) * day;
  const subjects = [...draft.subjects, draft.about?.id, actor.actor, actor.actorPerson, by?.app];
  return {
    event,
    part,
    at: new Date(at),
    sortAt: new Date(actor.actorMinor || aboutMinor ? startOfDay : at),
    action: draft.action,
    ...actor,
    via: by?.via ?? 0,
    group: toUuid(draft.group),
    about,
    aboutMinor,
    itemRef: (draft.itemRef ?? '').replaceAll('\0', ''),
    summary: shorten(cleanLine(draft.summary), maxSummary),
    hiddenFrom: [],
    subjects: [...new Set(subjects.flatMap((subject) => toUuid(subject ?? undefined) ?? []))],
  };
}

const noActor: ActorColumns = {
  actorKind: null,
  actor: null,
  actorPerson: null,
  actorAddress: '',
  actorName: '',
  actorMinor: false,
};

function actorColumns(by: Actor | undefined): ActorColumns {
  const actor = toUuid(by?.id);
  if (by === undefined || actor === null) return noActor;
  // An address is missing where it would identify a child, and for apps, which have none.
  const actorMinor = by.address === '' && by.kind !== CallerKind.APP;
  const isPerson = by.kind === CallerKind.PERSON;
  return {
    actorKind: by.kind,
    actor,
    actorPerson: isPerson ? actor : toUuid(by.person),
    actorAddress: cleanLine(by.address),
    actorName: cleanLine(actorMinor && isPerson ? shortenName(by.name) : by.name),
    actorMinor,
  };
}

/** The AI of a person under 18 goes without its name, which may be made of theirs. */
function inWords(by: Actor | undefined, { actorKind, actorName, actorMinor }: ActorColumns): string | null {
  if (actorKind === null) return by?.kind === CallerKind.OPERATOR ? 'The operator' : null;
  if (actorKind !== CallerKind.AI) return actorName === '' ? 'Somebody' : actorName;
  return actorMinor || actorName === '' ? 'An AI' : `${actorName} (AI)`;
}
