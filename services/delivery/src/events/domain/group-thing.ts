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

/** A decision or a plan, as in events. */
type Thing = Pick<DecisionSnapshot | PlanSnapshot, 'id' | 'title' | 'group' | 'hiddenFrom'>;

/** Returns the id of a thing's group, as callers know it. */
export const groupIdOf = ({ id, reference }: Pick<GroupSnapshot, 'id' | 'reference'>) =>
  reference || printId('grp', id);

/** Returns the uuids of a thing's groups. */
export const groupsOf = ({ id, reference }: Pick<GroupSnapshot, 'id' | 'reference'>) =>
  id === '' ? (reference === '' ? [] : [groupElsewhere(reference)]) : [id];

/**
 * Returns the activity of a thing. It is in the lists of the parties that see the thing but not in its
 * group's list, because the thing may be hidden from a member. An acting AI has it in its own list, and may
 * later belong to that member.
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

/** Returns a stage's notices: one for each person whose answer is needed, except the actor. */
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
    // People are not notified of their own act, but of their AI's.
    except: actorKind === CallerKind.PERSON ? (actor ?? '') : '',
  }));
}

interface Outcome {
  summary: string;
  where: string;
  people: readonly PersonSnapshot[];
  apps: readonly string[];
}

/** Returns the outcome for apps. @param own fields of that kind only, and the people that they name */
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
