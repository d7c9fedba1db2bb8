export { actingForHeader } from './acting-for.ts';
export { type Asker, createFindAsker } from './authenticate.ts';
export { type Credential, digestOf, namesOf } from './credential.ts';
export { type CheckPermission, permissionOf, scopesOf, scopeWord } from './permission.ts';
export { type Credentials, createCredentials } from './resolver.ts';
