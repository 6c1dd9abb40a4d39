/**
 * A package in an npm lockfile, with the fields that the checks read. The lockfile's key of a package is its folder.
 */
export interface LockedPackage {
  version?: string;
  integrity?: string;
  inBundle?: boolean;
  bundleDependencies?: string[];
  dev?: boolean;
  devOptional?: boolean;
}

/**
 * The folders of packages whose content npm would not verify. A package marked `inBundle` is inside the archive of the
 * package around it, so npm never fetches it. The outer archive's integrity covers the inner package, if the outer
 * package names its bundled packages.
 */
export function findPackagesWithoutIntegrity(packages: Record<string, LockedPackage>): string[] {
  return Object.entries(packages)
    .filter(([folder, { integrity, inBundle }]) => folder !== '' && !integrity && !(inBundle && isCovered(folder)))
    .map(([folder]) => folder);

  function isCovered(folder: string): boolean {
    const around = packages[folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))];
    if (!around || !folder.includes('/node_modules/')) return false;
    if (around.inBundle) return isCovered(folder.slice(0, folder.lastIndexOf('/node_modules/')));
    return around.integrity !== undefined && (around.bundleDependencies?.length ?? 0) > 0;
  }
}
