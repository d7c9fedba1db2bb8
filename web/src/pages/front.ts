import { t } from '@hearth/i18n';
import { linkButton } from '../components/form.ts';
import { linkTo } from '../components/link.ts';
import { type Frame, page } from '../frame.ts';
import { html } from '../html.ts';
import { paths } from '../paths.ts';

/** Explains the home to every visitor, signed in or not. @param commons whether the Commons is public */
export function frontPage(frame: Frame, { commons }: { commons: boolean }): string {
  const main = html`<h1>${t('front.title')}</h1>
<p class="lead">${t('front.lead', { home: frame.home })}</p>
<section class="card" aria-labelledby="people">
<h2 id="people">${t('front.people')}</h2>
<p>${t('front.people-more')}</p>
<div class="actions">
${linkButton(t('sign-in.title'), paths.signIn, 'main')}
${linkButton(t('front.groups'), paths.groups)}
${linkButton(t('front.ais'), paths.ais)}
${linkButton(t('account.title'), paths.me)}
</div>
${commons && html`<p>${t('front.commons', { link: linkTo(paths.commons) })}</p>`}
</section>
<section class="card" aria-labelledby="machines">
<h2 id="machines">${t('front.machines')}</h2>
<ul class="ways">
<li><span>${t('front.guide')}</span> <a class="address" href="${paths.guide}">${paths.guide}</a></li>
<li><span>${t('front.api')}</span> <a class="address" href="${paths.openApi}">${paths.openApi}</a></li>
<li><span>${t('front.home-document')}</span> <a class="address" href="${paths.homeDocument}">${paths.homeDocument}</a></li>
</ul>
</section>`;
  return page(frame, { title: t('front.title'), main, narrow: true });
}
