export type { ConsentAges } from './age-fields.ts';
export { ConfigError, type Mistake } from './config-error.ts';
export { describe, helpText, markdownTable } from './describe.ts';
export type {
  ConfigOf,
  Declaration,
  Default,
  Environment,
  Field,
  Source,
  VariableDescription,
} from './field.ts';
export { Expected, integer, list, oneOf, optionalText, secret } from './fields.ts';
export {
  type HomeConfig,
  homeDeclaration,
  readHomeConfig,
  type ServiceName,
  serviceNames,
} from './home-config.ts';
export { isHomeNameWithPort, isLocalhostName, isPublicHomeName } from './home-name.ts';
export {
  isOwnSetting,
  type OwnSetting,
  type OwnSettings,
  ownVariables,
  type SharedConfig,
} from './own-settings.ts';
export { type ReadOptions, type Rule, readConfig } from './read-config.ts';
export { Secret } from './secret.ts';
export type { ReadFile } from './source.ts';
export { connectionUrl, origin } from './url-fields.ts';
