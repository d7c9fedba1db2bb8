import { t } from '@hearth/i18n';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { type ChildPage, childPage, type GuardianPlace, newChildPage, paths } from '@hearth/web';
import {
  birthOf,
  type Context,
  doneOf,
  frameWithZone,
  noticeOn,
  type Own,
  type OwnForm,
  type PageAnswer,
  type Refusal,
  shown,
  submit,
  unlessRefused,
} from '../pages/module.ts';
import { childOf, findChild } from './family.ts';

const doneWords = {
  named_anew: t('family.done.renamed'),
  ais_on: t('family.done.ais-on'),
  ais_off: t('family.done.ais-off'),
  named: t('family.done.named'),
  said: t('family.done.end-asked'),
  kept: t('family.done.kept'),
  made: t('family.done.created'),
  sign_in: t('family.done.sign-in'),
  left: t('family.done.left'),
};

const fieldsOfPage = { guardian: 'guardian', second: 'place' };

/** A child's page: their contacts, whether AIs may act for them, and their guardians. */
export function addChildPages(context: Context): void {
  const { addOwnPage, ask } = context;
  const { updatePerson, endGuardian, keepAccount } = PeopleService.method;

  /** Adds a form of the child's page. */
  const addAct = (name: string, path: string, act: (id: string, request: OwnForm) => Promise<PageAnswer>) =>
    addOwnPage(name, `/family/:id/${path}`, {
      post: async (request) => await act((await findChild(context, request)).person!.id, request),
    });

  addOwnPage('child_new', paths.newChild, {
    get: (request) => showNew(context, request),
    post: (request) => makeChild(context, request),
  });
  addOwnPage('child', '/family/:id', { get: (request) => showChild(context, request) });
  addAct('child_ais', 'ais', async (id, request) => {
    const word = request.field('share');
    if (word !== 'yes' && word !== 'no') return { goTo: paths.child(id) };
    const aiShare = word === 'yes';
    await ask(updatePerson, { id, aiShare }, request.person);
    return noticeOn(paths.child(id), aiShare ? 'ais_on' : 'ais_off');
  });
  addAct('child_guardian_end', 'guardian/end', async (id, { person }) => {
    const { ended } = await ask(endGuardian, { id }, person);
    return ended ? noticeOn(paths.family, 'ended') : noticeOn(paths.child(id), 'said');
  });
  addAct('child_keep', 'keep', async (id, { person }) => {
    await ask(keepAccount, { id }, person);
    return noticeOn(paths.child(id), 'kept');
  });
  addAct('child_name', 'name', async (id, request) => {
    const name = request.field('name');
    const again = (errors: ChildPage['errors']) => showChild(context, request, { values: { name }, errors });
    if (name === '') return await again({ name: t('family.name-missing') });
    const save = async () => {
      await context.send(updatePerson, { id, name }, request.person);
      return noticeOn(paths.child(id), 'named_anew');
    };
    return await submit({ name: 'name' }, save, again);
  });
  addAct('child_groups', 'groups', async (id, request) => {
    const { leaveGroup } = GroupsService.method;
    const left = { id: request.field('group'), person: id };
    const leave = async () => {
      await context.send(leaveGroup, left, request.person);
      return noticeOn(paths.child(id), 'left');
    };
    return await unlessRefused({}, leave, (wrong) => showChild(context, request, wrong));
  });
  addAct('child_guardian', 'guardian', (id, request) => nameGuardian(context, id, request));
}

async function showChild(context: Context, request: Own, more: Partial<ChildPage> = {}): Promise<PageAnswer> {
  const [frame, child] = await Promise.all([
    frameWithZone(context, request),
    findChild(context, request).then((found) => childOf(context, request, found)),
  ]);
  return shown(childPage(frame, { child, done: doneOf(request, doneWords), ...more }), more);
}

type NewValues = Parameters<typeof newChildPage>[1]['values'];

function showNew(
  { ids }: Context,
  { frame, person }: Own,
  more: Refusal & { values?: NewValues; attempt?: string } = {},
): PageAnswer {
  // Guests and minors create no accounts for others; the family page says so.
  if (person.guest || person.minor) return { goTo: paths.family };
  return shown(newChildPage(frame, { values: {}, attempt: ids.uuid(), ...more }), more);
}

async function makeChild(context: Context, request: OwnForm): Promise<PageAnswer> {
  const { field, form, person } = request;
  const { values, yearMonth, errors: wrongBirth } = birthOf(form, context.clock.now());
  const name = field('name');
  const guardian = field('guardian');
  const again = (wrong: Refusal) =>
    showNew(context, request, { values: { ...values, name, guardian }, ...wrong });
  const missing = {
    ...(name === '' && { name: t('family.name-missing') }),
    ...wrongBirth,
    ...(guardian !== 'yes' && {
      guardian: t('family.consent-missing'),
    }),
  };
  if (Object.keys(missing).length > 0) return again({ errors: missing });
  const wanted = { name, birth_year_month: yearMonth, ...request.given({ request_id: 'attempt' }) };
  const make = async () => {
    const { id } = await context.send(PeopleService.method.createPerson, wanted, person);
    return noticeOn(paths.child(id), 'made');
  };
  return await unlessRefused({ name: 'name', birth_year_month: 'birth' }, make, again);
}

async function nameGuardian(context: Context, id: string, request: OwnForm): Promise<PageAnswer> {
  const { person } = request;
  const values = { guardian: request.field('guardian'), place: placeOf(request.field('place')) };
  const again = (errors: ChildPage['errors']) => showChild(context, request, { values, errors });
  if (values.place === undefined) return await again({ place: t('family.place-missing') });
  const guardian = addressOf(values.guardian);
  if (guardian === '@') return await again({ guardian: t('family.guardian-missing') });
  if (guardian === person.address) return await again({ guardian: t('family.guardian-yourself') });
  const second = values.place === 'second';
  const save = async () => {
    await context.send(PeopleService.method.setGuardian, { id, guardian, second }, person);
    return second ? noticeOn(paths.child(id), 'named') : noticeOn(paths.family, 'handed_over');
  };
  return await submit(fieldsOfPage, save, again);
}

function placeOf(word: string): GuardianPlace | undefined {
  return word === 'second' || word === 'instead' ? word : undefined;
}

/** A typed address, with or without its @. Ids stay as they are. */
function addressOf(typed: string): string {
  return typed.startsWith('per_') || typed.includes('@', 1)
    ? typed
    : `@${typed.replace(/^@/, '')}`.toLowerCase();
}
