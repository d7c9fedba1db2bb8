import { isHearthError } from '@hearth/errors';
import { t } from '@hearth/i18n';
import { sizeOf } from '@hearth/limits';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { type DeleteAccount, deleteAccountPage, paths } from '@hearth/web';
import {
  type Context,
  fieldErrors,
  type Own,
  type OwnForm,
  type PageAnswer,
  shown,
  signedInLately,
  signInAfresh,
} from '../pages/module.ts';
import { findChild } from './family.ts';
import { ageBandOf, findAccount } from './own-account.ts';

/** The account to delete: the person's own, or a child's. */
interface Subject extends Pick<DeleteAccount, 'child' | 'handle' | 'action' | 'back'> {
  /** The id that the operation takes. */
  id: string;
  /** Whether it is being deleted already, or another person has to decide. */
  settled: boolean;
}

type FindSubject = (context: Context, request: Own) => Promise<Subject>;

/** Deleting one's own account, or a child's. */
export function addDeletionPages(context: Context): void {
  const add = (name: string, path: string, find: FindSubject) =>
    context.addOwnPage(name, path, {
      get: async (request) => show(context, request, await find(context, request)),
      post: async (request) => await remove(context, request, await find(context, request)),
    });
  add('me_delete', paths.deleteMe, findMe);
  add('child_delete', '/family/:id/delete', findMyChild);
}

async function findMe(context: Context, request: Own): Promise<Subject> {
  const { handle, deletesAt, ageBand } = (await findAccount(context, request)).facts!;
  const settled = deletesAt !== undefined || ageBandOf(ageBand) === 'child';
  return { id: 'me', handle, action: paths.deleteMe, back: paths.me, settled };
}

async function findMyChild(context: Context, request: Own): Promise<Subject> {
  const { person, facts } = await findChild(context, request);
  const { id, name } = person!;
  const { handle, deletesAt } = facts!;
  const [action, back] = [paths.deleteChild(id), paths.child(id)];
  return { id, child: name, handle, action, back, settled: deletesAt !== undefined };
}

function show(
  { clock, limits }: Context,
  { frame, person }: Own,
  { settled, id: _, ...subject }: Subject,
  more: Partial<DeleteAccount> = {},
): PageAnswer {
  if (settled) return { goTo: subject.back };
  // Guests have no sign-in to repeat.
  const fresh = person.guest || signedInLately(person, clock.now());
  const signInFirst = fresh ? undefined : signInAfresh(subject.action);
  const days = sizeOf(limits, 'deletion_days');
  return shown(deleteAccountPage(frame, { ...subject, days, signInFirst, ...more }), more);
}

async function remove(context: Context, request: OwnForm, subject: Subject): Promise<PageAnswer> {
  const confirm = request.field('confirm');
  try {
    await context.send(PeopleService.method.deleteAccount, { id: subject.id, confirm }, request.person);
    return { goTo: subject.back };
  } catch (error) {
    const errors = { confirm: t('deletion.enter', { address: `@${subject.handle}` }) };
    if (fieldErrors(error, { confirm: 'confirm' }) !== undefined)
      return show(context, request, subject, { confirm, errors });
    if (!isHearthError(error) || error.details.needsPerson !== true) throw error;
    return show(context, request, subject, { signInFirst: signInAfresh(subject.action) });
  }
}
