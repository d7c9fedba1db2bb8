import { type Text, t } from '@hearth/i18n';
import { printId } from '@hearth/ids';
import { OutcomeSchema } from '@hearth/proto/delivery/v1/app_events';
import type {
  DecisionNeed,
  DecisionSnapshot,
  GroupSnapshot,
  PersonSnapshot,
  PlanSnapshot,
} from '@hearth/proto/events/v1/events';
import { CallerKind } from '@hearth/proto/options';
import { groupElsewhere } from '../../shared/domain/group-elsewhere.ts';
import type { KnownActor } from './actor.ts';
import { type AppDraft, appEvent, type View } from './app-event.ts';
import type { ActivityDraft, NoticeDraft } from './draft.ts';

/** A decision or a plan, as events have it. */
type Thing = Pick<DecisionSnapshot | PlanSnapshot, 'id' | 'title' | 'group' | 'hiddenFrom'>;

/** The id of the group of a thing, as callers know it. */
export const groupIdOf = ({ id, reference }: Pick<GroupSnapshot, 'id' | 'reference'>) =>
  reference || printId('grp', id);

/** uuids of the groups that a thing is of. */
export const groupsOf = ({ id, reference }: Pick<GroupSnapshot, 'id' | 'reference'>) =>
  id === '' ? (reference === '' ? [] : [groupElsewhere(reference)]) : [id];

/**
 * The activity of a thing. It stands in the lists of those who see the thing, and not in that of its group: it may be hidden
 * from a member. An AI that acted has it in its own list, and can become that member's.
 */
export const activityOf = (
  action: string,
  summary: Text,
  thing: Thing | undefined,
  viewers: readonly string[],
): ActivityDraft => ({
  action,
  summary,
  group: thing?.group?.id ?? '',
  subjects: viewers,
  hiddenFrom: thing?.hiddenFrom ?? '',
});

/** The notices of a stage: one for each person whom the thing needs, but for those whose own act it is. */
export function stageNotices(
  thing: Thing | undefined,
  {
    what,
    note,
    needs,
  }: { what: string; note: string; needs: readonly Pick<DecisionNeed, 'person' | 'about'>[] },
  { kind: actorKind, person: actor }: KnownActor,
  more: Pick<NoticeDraft, 'kind' | 'title' | 'link' | 'again'>,
): NoticeDraft[] {
  const title = thing?.title ?? '';
  return needs.map(({ person, about }) => ({
    ...more,
    person,
    about: about === '' ? null : about,
    stage: what,
    item: thing?.id ?? '',
    body: note === '' ? title : t('notices.with-note', { title, note }),
    // Their own act is no news to a person; that of their AI is.
    except: actorKind === CallerKind.PERSON ? (actor ?? '') : '',
  }));
}

interface Outcome {
  summary: string;
  where: string;
  people: readonly PersonSnapshot[];
  apps: readonly string[];
}

/**
 * The outcome for apps.
 *
 * @param own what that kind has beside what both have, with further people whom it names
 */
export function outcomeEvent(
  kind: 'decision' | 'plan',
  status: string,
  thing: (Thing & { shownId: string }) | undefined,
  { summary, where, people, apps }: Outcome,
  own: { people?: readonly string[]; data(view: View): Record<string, unknown> },
): AppDraft | null {
  if (thing?.group === undefined) return null;
  const { id, shownId, title, group, hiddenFrom } = thing;
  return appEvent(OutcomeSchema, {
    apps,
    orderKey: group.id || id,
    needs: { people: [...people.map(({ id }) => id), ...(own.people ?? []), hiddenFrom] },
    data: (view) => ({
      kind,
      id: shownId,
      status,
      group: groupIdOf(group),
      title,
      summary,
      ...(where !== '' && { where }),
      people: people.map((person) => {
        const { id, name } = view.person(person);
        return { person: id as string, name: name as string };
      }),
      hiddenFrom: hiddenFrom === '' ? [] : [view.personId({ id: hiddenFrom, minor: false })],
      ...own.data(view),
    }),
  });
}
