/** Whether a mail server's answer says that the user name or password is wrong (RFC 4954), in `SMTP_URL`: no mail at all is sent. */
export function isSignInRefused(answer: string): boolean {
  return /^(53[45][ -]|5\d\d[ -]5\.7\.8\b)/.test(answer);
}
