/** The sign-in pages share one chunk, because a visitor of one page is likely to need the next. */
export { AuthCallbackPage } from '#accounts/web/auth-callback-page.tsx';
export { ForgotPasswordPage } from '#accounts/web/mailed-link-pages.tsx';
export { LoginPage } from '#accounts/web/login-page.tsx';
export { RegisterPage } from '#accounts/web/login-page.tsx';
export { ResetPasswordPage } from '#accounts/web/mailed-link-pages.tsx';
export { VerifyEmailPage } from '#accounts/web/mailed-link-pages.tsx';
