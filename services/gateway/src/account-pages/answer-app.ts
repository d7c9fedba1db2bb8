import { type LinkAsked, PeopleService } from '@hearth/proto/identity/v1/people';
import { paths } from '@hearth/web';
import {
  type Context,
  noticeOn,
  type OwnForm,
  type PageAnswer,
  signedInLately,
  signInAfresh,
} from '../pages/module.ts';

const { listLinks, answerLink } = PeopleService.method;

/** Accepts or declines an app that asks for an account: of the person, or of `child`. */
export async function answerApp(
  { ask, clock }: Context,
  { person, ...request }: OwnForm,
  back: string,
  isAbout: (link: LinkAsked) => boolean,
  child: { person?: string } = {},
): Promise<PageAnswer> {
  const app = request.param('app');
  const answer = request.field('answer');
  const { links } = await ask(listLinks, {}, person);
  // Answered before, or taken back: the page says what is left.
  if (!links.some((link) => link.app === app && isAbout(link)) || !['accept', 'decline'].includes(answer))
    return { goTo: back };
  const accept = answer === 'accept';
  if (accept && person.guest) return { goTo: paths.addSignIn };
  if (accept && !signedInLately(person, clock.now())) return { goTo: signInAfresh(back) };
  await ask(answerLink, { app, accept, ...child }, person);
  return noticeOn(back, accept ? 'accepted' : 'declined');
}
