import { cleanLine, shorten } from '@hearth/addresses';
import { english } from '@hearth/i18n';
import { isUuid } from '@hearth/ids';
import type { ActivityDraft, Draft } from '../../events/module.ts';
import { wordingOf } from '../../shared/domain/wording.ts';
import type { ActivityRow } from '../db/activity.ts';

const maxSummary = 300;
const day = 24 * 60 * 60 * 1_000;

/** @param part the draft's position among the drafts of its event */
export function toRow({ event, at, by, ...draft }: ActivityDraft & Draft, part: number): ActivityRow {
  const { group = '', about, hiddenFrom = '', itemRef = '', itemApp = '' } = draft;
  const aboutMinor = about?.minor ?? false;
  const startOfDay = Math.floor(at.getTime() / day) * day;
  const subjects = [...draft.subjects, about?.id ?? '', by.id ?? '', by.person ?? '', by.app];
  return {
    event,
    part,
    at,
    sortAt: by.minor || aboutMinor ? new Date(startOfDay) : at,
    action: draft.action,
    actorKind: by.kind,
    actor: by.id,
    actorPerson: by.person,
    actorAddress: by.address,
    actorName: by.name,
    actorMinor: by.minor,
    via: by.via,
    group: isUuid(group) ? group : null,
    about: about !== undefined && isUuid(about.id) ? about.id : null,
    aboutMinor,
    itemRef: itemRef.replaceAll('\0', ''),
    itemApp: isUuid(itemApp) ? itemApp : null,
    summary: shorten(cleanLine(english.words(draft.summary)), maxSummary),
    wording: wordingOf(draft.summary),
    hiddenFrom: isUuid(hiddenFrom) ? [hiddenFrom] : [],
    subjects: [...new Set(subjects.filter(isUuid))],
  };
}
