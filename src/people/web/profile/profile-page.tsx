import { useQueryClient } from '@tanstack/react-query';
import { m } from '#messages';
import { AddressesSection } from '#people/web/profile/addresses-section.tsx';
import { AllergiesSection } from '#people/web/profile/allergies-section.tsx';
import { DeleteSection, DownloadSection } from '#people/web/profile/data-section.tsx';
import { DetailsSection } from '#people/web/profile/details-section.tsx';
import { devicesKey, DevicesSection } from '#people/web/profile/devices-section.tsx';
import { EmailSection } from '#people/web/profile/email-section.tsx';
import { IdentitiesSection } from '#people/web/profile/identities-section.tsx';
import { LanguageSection } from '#people/web/profile/language-section.tsx';
import { PasswordSection } from '#people/web/profile/password-section.tsx';
import { useSession } from '#accounts/web/session.ts';
import { Link } from '#platform/web/navigation.tsx';

/** What a customer can see and change of their own account. */
export function ProfilePage() {
  const { user } = useSession();
  const queries = useQueryClient();
  // The guard let somebody in; they have signed out since, and it will lead them away.
  if (!user) return null;
  const refreshDevices = () => void queries.invalidateQueries({ queryKey: devicesKey });
  return (
    <div className="mx-auto w-full max-w-page px-4 py-10 lg:px-8">
      <h1 className="text-4xl font-extrabold">{m.accounts_profile()}</h1>
      <p className="mt-2">
        <Link href="/customer/orders" className="link inline-flex min-h-11 items-center">
          {m.accounts_my_orders()}
        </Link>
      </p>
      <div className="mt-4 grid items-start gap-5 lg:grid-cols-2">
        <div className="grid min-w-0 gap-5">
          <DetailsSection user={user} />
          <EmailSection user={user} />
          <LanguageSection user={user} />
          <AddressesSection user={user} />
          <AllergiesSection user={user} />
        </div>
        <div className="grid min-w-0 gap-5">
          <PasswordSection user={user} onChanged={refreshDevices} />
          <IdentitiesSection user={user} />
          <DevicesSection />
          <DownloadSection />
          <DeleteSection user={user} />
        </div>
      </div>
    </div>
  );
}
