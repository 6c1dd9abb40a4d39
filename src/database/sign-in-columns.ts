/* The types of the columns in `schema.ts` about signing in at other companies. */

export type SignInKind = 'google' | 'apple' | 'other';
/**
 * `away`: it does not answer. `no_provider`: nothing at its address says that it is one. `client_refused`: it does not know
 * this shop's id and secret. `return_refused`: it does not send browsers back to this shop. `clock`: its clock and this
 * machine's differ.
 */
export type SignInProblem = 'away' | 'no_provider' | 'client_refused' | 'return_refused' | 'clock';
/**
 * The purpose of a sign-in at a provider: `app`, for the app; `link`, to connect it to an account; `trial`, to try it.
 */
export type SignInPurpose = 'sign_in' | 'app' | 'link' | 'trial';
