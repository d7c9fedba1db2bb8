import type { DescField } from '@bufbuild/protobuf';
import { t } from '@hearth/i18n';
import { ReportReasonSchema } from '@hearth/proto/approvals/v1/requests';
import { AiStatusSchema } from '@hearth/proto/common/v1/caller';
import { DestinationStateSchema } from '@hearth/proto/delivery/v1/admin_deliveries';
import { DeliveryStateSchema } from '@hearth/proto/delivery/v1/app_deliveries';
import { HomePolicySchema, OtherHomeStateSchema } from '@hearth/proto/federation/v1/homes';
import { HomeKeyStatusSchema } from '@hearth/proto/federation/v1/keys';
import { AiStateSchema } from '@hearth/proto/identity/v1/ais';
import { FeedbackKindSchema, FeedbackStatusSchema } from '@hearth/proto/identity/v1/feedback';
import { AgeBandSchema, PlatformSchema } from '@hearth/proto/identity/v1/resources';
import { AGE_COPY, PLATFORM_COPY, reportReasons, type Words } from '@hearth/web';

type Texts = Readonly<Record<string, Words>>;

const each = <Value extends string>(values: readonly Value[], text: (value: Value) => Words): Texts =>
  Object.fromEntries(values.map((value) => [value, text(value)]));

/** Texts of the values of enums, by the enum's name. */
const ofEnums: Readonly<Record<string, Texts>> = {
  [AgeBandSchema.typeName]: AGE_COPY,
  [AiStateSchema.typeName]: each(['active', 'suspended', 'revoked'], (state) => t(`operator.ai.${state}`)),
  [AiStatusSchema.typeName]: each(['claimed', 'vouched', 'unclaimed'], (status) =>
    t(`operator.ai.${status}`),
  ),
  [DeliveryStateSchema.typeName]: each(['waiting', 'delivered', 'failed', 'not_sent'], (state) =>
    t(`operator.delivery.${state}`),
  ),
  [DestinationStateSchema.typeName]: each(['active', 'failing', 'suspended', 'disabled'], (state) =>
    t(`operator.destination.${state}`),
  ),
  [FeedbackKindSchema.typeName]: each(['bug', 'idea', 'docs', 'abuse', 'other'], (kind) =>
    t(`operator.feedback-kind.${kind}`),
  ),
  [FeedbackStatusSchema.typeName]: each(['received', 'read', 'done'], (status) =>
    t(`operator.feedback-status.${status}`),
  ),
  [HomeKeyStatusSchema.typeName]: each(['active', 'next', 'retired', 'revoked'], (status) =>
    t(`operator.key-status.${status}`),
  ),
  [HomePolicySchema.typeName]: each(['unset', 'allowed', 'limited', 'denied'], (policy) =>
    t(`operator.policy-${policy}`),
  ),
  [OtherHomeStateSchema.typeName]: each(
    ['unknown', 'good', 'failing', 'lapsed', 'key_change', 'key_revoked'],
    (state) => t(`operator.home-state.${state}`),
  ),
  [PlatformSchema.typeName]: PLATFORM_COPY,
  [ReportReasonSchema.typeName]: each(reportReasons, (reason) => t(`report.reason.${reason}`)),
};

/** Texts of values that are declared as strings, by the field's name. */
const ofStrings: Readonly<Record<string, Texts>> = {
  kind: each(['app', 'subscription', 'mail', 'callback'], (kind) => t(`operator.destination-kind.${kind}`)),
  uses: each(['record', 'request', 'recovery'], (use) => t(`operator.key-use.${use}`)),
};

/** The text of a field's value; undefined for a value that is no word of the API. */
export function valueWords({ name, enum: declared }: DescField, value: string): Words | undefined {
  const texts = declared === undefined ? ofStrings[name] : ofEnums[declared.typeName];
  return texts !== undefined && Object.hasOwn(texts, value) ? texts[value] : undefined;
}
