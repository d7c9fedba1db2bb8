import { SetGuardianRequestSchema } from '@hearth/proto/identity/v1/people';
import { type ChildPage, childPage, type GuardianPlace, paths } from '@hearth/web';
import {
  type Asked,
  doneOf,
  type FormRequest,
  fieldErrors,
  fieldOf,
  frameWithZone,
  type PageAnswer,
  signedIn,
  toldOn,
} from '../pages/module.ts';
import type { PeopleContext } from './context.ts';
import { childOf, findChild } from './family.ts';

const doneWords = {
  ais_on: 'AIs may act for this child now.',
  ais_off: 'No AI may act for this child any more.',
  named: 'There is a second guardian now.',
  said: 'Noted: you said that the guardianship shall end.',
  kept: 'The account stays.',
};

const fieldsOfPage = { guardian: 'guardian', second: 'place' };

/** One child: with whom they deal, whether AIs act for them, and who guards them. */
export function addChildPages(context: PeopleContext): void {
  const { addPage, peers } = context;

  addPage({ name: 'child', path: '/family/:id', get: signedIn((asked) => showChild(context, asked)) });
  addPage({
    name: 'child_ais',
    path: '/family/:id/ais',
    post: signedIn<FormRequest>(async (asked) => {
      const { id } = (await findChild(context, asked)).person!;
      const share = fieldOf(asked.request, 'share');
      if (share !== 'yes' && share !== 'no') return { goTo: paths.child(id) };
      const aiShare = share === 'yes';
      await peers.people.updatePerson({ id, aiShare }, { caller: asked.person });
      return toldOn(paths.child(id), aiShare ? 'ais_on' : 'ais_off');
    }),
  });
  addPage({
    name: 'child_guardian',
    path: '/family/:id/guardian',
    post: signedIn<FormRequest>((asked) => nameGuardian(context, asked)),
  });
  addPage({
    name: 'child_guardian_end',
    path: '/family/:id/guardian/end',
    post: signedIn<FormRequest>(async (asked) => {
      const { id } = (await findChild(context, asked)).person!;
      const { ended } = await peers.people.endGuardian({ id }, { caller: asked.person });
      return ended ? toldOn(paths.family, 'ended') : toldOn(paths.child(id), 'said');
    }),
  });
  addPage({
    name: 'child_keep',
    path: '/family/:id/keep',
    post: signedIn<FormRequest>(async (asked) => {
      const { id } = (await findChild(context, asked)).person!;
      await peers.people.keepAccount({ id }, { caller: asked.person });
      return toldOn(paths.child(id), 'kept');
    }),
  });
}

async function showChild(
  context: PeopleContext,
  asked: Asked,
  more: Partial<ChildPage> = {},
): Promise<PageAnswer> {
  const [frame, child] = await Promise.all([
    frameWithZone(context.peers, asked.request),
    findChild(context, asked).then((found) => childOf(context, asked, found)),
  ]);
  const html = childPage(frame, { child, done: doneOf(asked.request, doneWords), ...more });
  return { html, status: more.errors === undefined ? 200 : 400 };
}

async function nameGuardian(context: PeopleContext, asked: Asked<FormRequest>): Promise<PageAnswer> {
  const { peers, reader } = context;
  const { request, person } = asked;
  const { id } = (await findChild(context, asked)).person!;
  const values = { guardian: fieldOf(request, 'guardian'), place: placeOf(fieldOf(request, 'place')) };
  const again = (errors: ChildPage['errors']) => showChild(context, asked, { values, errors });
  if (values.place === undefined) return await again({ place: 'Say whether beside you or in your place.' });
  const guardian = addressOf(values.guardian);
  if (guardian === '@') return await again({ guardian: 'Write the address of who shall be a guardian.' });
  if (guardian === person.address) return await again({ guardian: 'This is you. Write somebody else’s.' });
  try {
    const second = values.place === 'second';
    const message = reader.readMessage(SetGuardianRequestSchema, { id, guardian, second });
    await peers.people.setGuardian(message, { caller: person });
    return second ? toldOn(paths.child(id), 'named') : toldOn(paths.family, 'handed_over');
  } catch (error) {
    const errors = fieldErrors(error, fieldsOfPage);
    if (errors === undefined) throw error;
    return await again(errors);
  }
}

function placeOf(word: string): GuardianPlace | undefined {
  return word === 'second' || word === 'instead' ? word : undefined;
}

/** The address of a person as it was typed, with its @ or without. An id stays as it is. */
function addressOf(typed: string): string {
  return typed.startsWith('per_') || typed.includes('@', 1)
    ? typed
    : `@${typed.replace(/^@/, '')}`.toLowerCase();
}
