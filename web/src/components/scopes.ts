import { t } from '@hearth/i18n';
import { type Html, html, type Words } from '../html.ts';
import type { Scope } from '../scope-copy.ts';
import { fieldset } from './field.ts';
import { tick, ticks } from './tick.ts';

export interface ScopeTicks {
  legend: Words;
  hint?: Words;
  /** The permissions to choose from. */
  offered: readonly Scope[];
  ticked: readonly Scope[];
  error?: Words | undefined;
}

/** Checkboxes for the permissions of an AI: field `scope`, once for each ticked box. */
export function scopeTicks({ legend, hint, offered, ticked, error }: ScopeTicks): Html {
  return fieldset(
    { id: 'scope', legend, hint, error },
    ticks(
      offered.map((scope) =>
        tick({
          name: 'scope',
          value: scope,
          label: t(`scopes.${scope}`),
          hint: t(`scopes.${scope}-more`),
          caution: scope === 'approve' ? t('scopes.approve-caution') : undefined,
          ticked: ticked.includes(scope),
        }),
      ),
    ),
  );
}

/** The permissions of an AI as a list. */
export function scopeList(scopes: readonly Scope[]): Html {
  if (scopes.length === 0) return html`${t('ais.permissions-none')}`;
  return html`<ul class="plain">${scopes.map((scope) => html`<li>${t(`scopes.${scope}`)}</li>`)}</ul>`;
}
