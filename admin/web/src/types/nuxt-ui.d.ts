import type Alert from "@nuxt/ui/components/Alert.vue";
import type App from "@nuxt/ui/components/App.vue";
import type Badge from "@nuxt/ui/components/Badge.vue";
import type Button from "@nuxt/ui/components/Button.vue";
import type Checkbox from "@nuxt/ui/components/Checkbox.vue";
import type DropdownMenu from "@nuxt/ui/components/DropdownMenu.vue";
import type FormField from "@nuxt/ui/components/FormField.vue";
import type Icon from "@nuxt/ui/components/Icon.vue";
import type Input from "@nuxt/ui/components/Input.vue";
import type Modal from "@nuxt/ui/components/Modal.vue";
import type Progress from "@nuxt/ui/components/Progress.vue";
import type RadioGroup from "@nuxt/ui/components/RadioGroup.vue";
import type Select from "@nuxt/ui/components/Select.vue";
import type SelectMenu from "@nuxt/ui/components/SelectMenu.vue";
import type Skeleton from "@nuxt/ui/components/Skeleton.vue";
import type Slideover from "@nuxt/ui/components/Slideover.vue";
import type Switch from "@nuxt/ui/components/Switch.vue";
import type Textarea from "@nuxt/ui/components/Textarea.vue";

/** The components that Nuxt UI's plugin imports for templates. */
declare module "vue" {
	interface GlobalComponents {
		UAlert: typeof Alert;
		UApp: typeof App;
		UBadge: typeof Badge;
		UButton: typeof Button;
		UCheckbox: typeof Checkbox;
		UDropdownMenu: typeof DropdownMenu;
		UFormField: typeof FormField;
		UIcon: typeof Icon;
		UInput: typeof Input;
		UModal: typeof Modal;
		UProgress: typeof Progress;
		URadioGroup: typeof RadioGroup;
		USelect: typeof Select;
		USelectMenu: typeof SelectMenu;
		USkeleton: typeof Skeleton;
		USlideover: typeof Slideover;
		USwitch: typeof Switch;
		UTextarea: typeof Textarea;
	}
}
