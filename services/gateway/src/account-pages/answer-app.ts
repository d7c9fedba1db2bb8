import { type LinkAsked, PeopleService } from '@hearth/proto/identity/v1/people';
import { type Context, freshSignIn, noticeOn, type OwnForm, type PageAnswer } from '../pages/module.ts';

const { listLinks, answerLink } = PeopleService.method;

/** Accepts or declines an app that asks for the account of the person or of `child`. */
export async function answerApp(
  context: Context,
  { person, ...request }: OwnForm,
  back: string,
  isAbout: (link: LinkAsked) => boolean,
  child: { person?: string } = {},
): Promise<PageAnswer> {
  const { ask } = context;
  const app = request.param('app');
  const answer = request.field('answer');
  const { links } = await ask(listLinks, {}, person);
  // Already answered, or withdrawn.
  if (!links.some((link) => link.app === app && isAbout(link)) || !['accept', 'decline'].includes(answer))
    return { goTo: back };
  const accept = answer === 'accept';
  const goTo = accept ? freshSignIn(context, person, back) : undefined;
  if (goTo !== undefined) return { goTo };
  await ask(answerLink, { app, accept, ...child }, person);
  return noticeOn(back, accept ? 'accepted' : 'declined');
}
