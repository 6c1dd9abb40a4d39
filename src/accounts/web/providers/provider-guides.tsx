import { m } from '#messages';
import { companyPages } from '#accounts/web/providers/provider-words.ts';
import classes from '#accounts/web/providers/providers.module.css';
import { CopyField } from '#ui/web/office/copy-field.tsx';
import { OutsideLink } from '#ui/web/office/outside-link.tsx';

interface GuideProps {
  returnUrl: string;
  mailFrom: string;
}

/** The steps at Google, page by page. */
export function GoogleGuide({ returnUrl }: GuideProps) {
  return (
    <ol className={classes.guide}>
      <li>
        <p>{m.accounts_guide_google_client()}</p>
        <OutsideLink to={companyPages.googleClients}>{m.accounts_guide_google_open()}</OutsideLink>
      </li>
      <li>
        <p>{m.accounts_guide_google_type()}</p>
        <CopyField label={m.accounts_guide_google_redirect()} value={returnUrl} />
      </li>
      <li>
        <p>{m.accounts_guide_google_publish()}</p>
        <OutsideLink to={companyPages.googleAudience}>{m.accounts_guide_google_open_audience()}</OutsideLink>
      </li>
      <li>
        <p>{m.accounts_guide_google_copy()}</p>
      </li>
    </ol>
  );
}

/** The steps at Apple, page by page. */
export function AppleGuide({ returnUrl, mailFrom }: GuideProps) {
  const { hostname } = new URL(returnUrl);
  return (
    <ol className={classes.guide}>
      <li>
        <p>{m.accounts_guide_apple_app()}</p>
        <OutsideLink to={companyPages.appleIdentifiers}>{m.accounts_guide_apple_open_identifiers()}</OutsideLink>
      </li>
      <li>
        <p>{m.accounts_guide_apple_service()}</p>
      </li>
      <li>
        <p>{m.accounts_guide_apple_configure()}</p>
        <CopyField label={m.accounts_guide_apple_domain()} value={hostname} />
        <CopyField label={m.accounts_guide_apple_return()} value={returnUrl} />
      </li>
      <li>
        <p>{m.accounts_guide_apple_key()}</p>
        <OutsideLink to={companyPages.appleKeys}>{m.accounts_guide_apple_open_keys()}</OutsideLink>
      </li>
      <li>
        <p>{m.accounts_guide_apple_mail()}</p>
        <CopyField label={m.accounts_guide_apple_sender()} value={mailFrom} />
        <OutsideLink to={companyPages.appleMail}>{m.accounts_guide_apple_open_mail()}</OutsideLink>
      </li>
      <li>
        <p>{m.accounts_guide_apple_copy()}</p>
      </li>
    </ol>
  );
}

/** The values that any other provider needs. */
export function OtherGuide({ returnUrl }: GuideProps) {
  return (
    <ol className={classes.guide}>
      <li>
        <p>{m.accounts_guide_other_client()}</p>
        <CopyField label={m.accounts_guide_other_redirect()} value={returnUrl} />
      </li>
      <li>
        <p>{m.accounts_guide_other_confirmed()}</p>
      </li>
    </ol>
  );
}
